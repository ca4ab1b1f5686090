import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { DEMO } from './demo-user.ts'
import { beginWithTemplate, freePorts, productOptions, signIn, START_MS, until } from './world.ts'

// npm run dev and npm run world.
// Longer than 20 s: two products start from sources, and a service once more.

let program: ChildProcess | undefined
let folder: string | undefined
let said = ''

function run(entry: string, environment: Record<string, string>): ChildProcess {
  const { DATABASE_URL: _, REDIS_URL: __, SMTP_URL: ___, ...inherited } = process.env
  said = ''
  const path = fileURLToPath(new URL(entry, import.meta.url))
  const started = spawn(process.execPath, [path], {
    env: { ...inherited, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  program = started
  return started
}

const heard = (words: string) =>
  until(
    words,
    async () => {
      if (program?.exitCode !== null) throw new Error(`It ended with code ${program?.exitCode}.`)
      return said.includes(words)
    },
    START_MS,
  ).catch((error: Error) => {
    throw new Error(`${error.message} It said:\n${said}`)
  })

async function ended(child: ChildProcess): Promise<number | null> {
  const gone = new Promise<number | null>((done) => child.once('exit', done))
  child.kill('SIGTERM')
  return gone
}

afterEach(async () => {
  if (program?.exitCode === null) await ended(program)
  if (folder) await rm(folder, { recursive: true, force: true })
})

test('npm run dev restarts a service whose code changes and serves pages with hot reload', async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-dev-'))
  await beginWithTemplate(folder)
  // The ports of a start, and the api's own behind the pages.
  const port = await freePorts([0, 1, 2, 3, 4])
  const url = `http://localhost:${port}`
  const dev = run('dev.ts', { ...productOptions(), PORT: String(port), DATA_DIR: folder })
  await heard(url)
  await until('the pages', async () => (await fetch(url).catch(() => undefined))?.ok)
  expect(await (await fetch(`${url}/login`, { headers: { accept: 'text/html' } })).text()).toContain('/@vite/client')
  const demo = await signIn(url, DEMO.email, DEMO.password)
  expect(await demo.balance()).toBe(10)

  const now = new Date()
  await utimes(fileURLToPath(import.meta.resolve('@parley/voice')), now, now)
  await heard('The voice is back.')
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' })
  expect(await ended(dev)).toBe(0)
}, 240_000)

test('npm run world starts with calls and leaves no data behind', async () => {
  const world = run('world/cli.ts', {})
  await heard('Ctrl-C ends it')
  const [url = ''] = /http:\S+/.exec(said) ?? []
  const demo = await signIn(url, DEMO.email, DEMO.password)
  const calls = await demo.get<unknown[]>(`/api/user/${demo.user.id}/calls`)
  expect(calls.length).toBeGreaterThanOrEqual(3)
  const [data = ''] = /data +(\S+)/.exec(said) ?? []
  expect(await ended(world)).toBe(0)
  expect(existsSync(data.replace(/^data +/, ''))).toBe(false)
})
