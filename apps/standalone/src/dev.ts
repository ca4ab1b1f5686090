import { type ChildProcess, spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pagesEnvironment, readConfigBehindPages, readStandaloneConfig, type StandaloneConfig } from './config.ts'
import { type ServiceName, type Product, startProduct } from './product.ts'

// npm run dev: the ports and data of a start; a service restarts when its code changes, and pages reload.

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const WEB = join(ROOT, 'apps/web')
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js')
/** Debounce: an editor writes several files at once. */
const QUIET_MS = 200
const CODE_OF: Readonly<Record<ServiceName, readonly string[]>> = {
  api: ['apps/api/src', 'apps/standalone/src', 'packages/contract/src'],
  voice: [
    'apps/voice/src',
    'packages/contract/src',
    'packages/voice-ports/src',
    'packages/offline-mind/src',
    'packages/sandbox/src',
  ],
}

const say = (line: string) => console.log(line)

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

/** Vite with hot reload on the public port; it proxies other requests to the api. */
function servePages(start: StandaloneConfig, apiPort: number): ChildProcess {
  return spawn(
    process.execPath,
    [VITE, '--port', String(start.port), '--strictPort', '--clearScreen', 'false', '--logLevel', 'warn'],
    {
      cwd: WEB,
      env: pagesEnvironment(apiPort),
      stdio: 'inherit',
    },
  )
}

/** Restarts a service when its code has changed, one at a time; after a failed start it waits for the next change. */
function restartOnChange(product: Product, name: ServiceName): void {
  let timer: NodeJS.Timeout | undefined
  let work = Promise.resolve()
  const restart = async () => {
    say(`The code of the ${name} has changed. Starting it again…`)
    await product.restart(name).then(
      () => say(`The ${name} is back.`),
      (error: unknown) => console.error(error instanceof Error ? error.message : error),
    )
  }
  for (const folder of CODE_OF[name]) {
    watch(join(ROOT, folder), { recursive: true }, (_, file) => {
      if (file === null || !file.endsWith('.ts') || /\.(test|e2e)\.ts$/.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => void (work = work.then(restart)), QUIET_MS)
    }).on('error', (error) => console.error(`Changes in ${folder} are not seen any more: ${error.message}`))
  }
}

try {
  const start = readStandaloneConfig()
  const config = readConfigBehindPages(start)
  const cut = new AbortController()
  const endPages: (() => void)[] = []
  const starting = startProduct(
    config,
    { say, giveUp: (sentence) => (console.error(sentence), stop(1)), signal: cut.signal },
    { pagesElsewhere: true },
  )
  let stopping = false
  const stop = (code: number) => {
    if (stopping) return
    stopping = true
    cut.abort(new Error('It was stopped while starting.'))
    for (const end of endPages) end()
    starting.then((product) => product.close()).then(() => process.exit(code), fail)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop(0))
  process.once('disconnect', () => stop(0))
  const product = await starting
  const pages = servePages(start, config.port)
  endPages.push(() => void pages.kill())
  pages.once('exit', () => stop(1))
  restartOnChange(product, 'api')
  restartOnChange(product, 'voice')
  say(
    `\nThe pages with hot reload, and everything behind them, are at ${start.publicUrl}\n\n${product.components.map((component) => `  ${component}`).join('\n')}\n`,
  )
} catch (error) {
  fail(error)
}
