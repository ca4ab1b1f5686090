import { BRAND } from '@parley/contract'
import { readStandaloneConfig } from './config.ts'
import { DEMO } from './demo.ts'
import { type Product, startProduct } from './product.ts'

const say = (line: string) => console.log(line)

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** Ctrl-C, a plain kill, a closed terminal, or the end of the process that started us: all stop the product cleanly, once. */
function stopOnRequest(starting: Promise<Product>): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    say('\nStopping…')
    starting.then((product) => product.close()).then(() => process.exit(0), fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  process.on('disconnect', stop)
}

try {
  const starting = startProduct(readStandaloneConfig(), say)
  stopOnRequest(starting)
  const product = await starting
  say(`
${BRAND.product} is running.

  ${product.url}

  demo user  ${DEMO.email}, password ${DEMO.password}
${product.parts.map((part) => `  ${part}`).join('\n')}

  Call +1 202 555 0100 to hear it work. Ctrl-C stops it; the next start finds everything again.
`)
} catch (error) {
  fail(error)
}
