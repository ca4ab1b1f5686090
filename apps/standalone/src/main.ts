import { BRAND } from '@parley/contract'
import { readConfigOf } from './config.ts'
import { type Product, startProduct } from './product.ts'

// The supervisor runs no code of the api or the voice service, so it survives their crashes.

const say = (line: string) => console.log(line)

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

const stopping = new AbortController()

/** Stops the product once, for the first request; a start in progress is aborted. */
function stopper(starting: Promise<Product>): (then: () => void) => void {
  return (then) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    const closed = starting.then(
      (product) => product.close(),
      () => undefined,
    )
    closed.then(then, fail)
  }
}

// The reader of the output may close it before the product ends.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  const giveUp = (sentence: string) => {
    console.error(sentence)
    stop(() => process.exit(1))
  }
  const config = readConfigOf(process.argv.slice(2))
  const starting = startProduct(config, { say, giveUp, signal: stopping.signal })
  const stop = stopper(starting)
  const stopOnRequest = () => {
    say('\nStopping…')
    stop(() => process.exit(0))
  }
  // Ctrl-C, a plain kill, a closed terminal, or the end of the process that started us.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stopOnRequest)
  process.once('disconnect', stopOnRequest)
  const product = await starting
  say(`
${BRAND.product} is running.

  ${product.url}

${product.components.map((component) => `  ${component}`).join('\n')}

  ${config.testNumbers ? 'Call +1 202 555 0100 to hear it work. ' : ''}Ctrl-C stops it; the next start finds everything again.
`)
} catch (error) {
  if (!stopping.signal.aborted) fail(error)
}
