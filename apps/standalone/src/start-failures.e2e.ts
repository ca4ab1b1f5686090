import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from './world.ts'

// `npm start` that cannot start: exit code 1 and one line with what to do.
// Longer than 20 s: a process is started for each way to fail.

const MAIN = join(import.meta.dirname, 'main.ts')
let folder: string
let dataDir: string
let taken: Server
let takenPort: number

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-start-'))
  takenPort = await freePort()
  taken = createServer((_request, response) => void response.end('Somebody else'))
  await new Promise<void>((done) => taken.listen(takenPort, '127.0.0.1', done))
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'))
})
afterAll(async () => {
  taken.close()
  await rm(folder, { recursive: true, force: true })
})

async function spawned(environment: Record<string, string>) {
  const { DATABASE_URL: _, REDIS_URL: __, SMTP_URL: ___, ...inherited } = process.env
  const names = ['PORT', 'VOICE_PORT', 'INTERNAL_PORT', 'PAYMENTS_SANDBOX_PORT']
  const ports: Record<string, string> = {}
  for (const name of names) ports[name] = String(await freePort())
  const env = { ...inherited, DATA_DIR: dataDir, ...ports, ...environment }
  return spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Exit code and duration in ms of a start that is stopped at the moment. */
async function stoppedWhen(moment: Promise<unknown>, environment: Record<string, string>) {
  const child = await spawned(environment)
  const closed = new Promise<number | null>((done) => child.once('close', done))
  await moment
  const askedAt = performance.now()
  child.kill('SIGINT')
  return { code: await closed, tookMs: performance.now() - askedAt }
}

async function started(environment: Record<string, string>): Promise<{ code: number | null; complaint: string }> {
  const child = await spawned(environment)
  let complaint = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise<number | null>((done) => child.once('close', done))
  return { code, complaint }
}

async function expectRefusal(environment: Record<string, string>, sentence: string): Promise<void> {
  const { code, complaint } = await started(environment)
  expect(complaint.trimEnd().split('\n')).toEqual([expect.stringContaining(sentence)])
  expect(code).toBe(1)
}

describe('a start', () => {
  test.each(['PORT', 'VOICE_PORT', 'INTERNAL_PORT', 'PAYMENTS_SANDBOX_PORT'])(
    'with %s in use names the variable and another port',
    async (name) => {
      await expectRefusal(
        { [name]: String(takenPort) },
        `${name}=${takenPort} is in use by another program. Stop it, or set ${name} to another port, such as ${takenPort + 100}.`,
      )
      // The folder is released.
      expect(await readdir(dataDir)).not.toContain('parley.pid')
    },
  )

  test('with one port for two services names both variables', async () => {
    const port = String(await freePort())
    await expectRefusal(
      { PORT: port, VOICE_PORT: port },
      `PORT and VOICE_PORT are both ${port}. Set one of them to another port.`,
    )
  })

  test("on a file, a foreign folder, broken secrets or another Parley's data says what to do", async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expectRefusal({ DATA_DIR: file }, `DATA_DIR=${file} is a file. Set DATA_DIR to a folder.`)
    await writeFile(join(dataDir, 'thesis.txt'), 'mine')
    await expectRefusal(
      {},
      `DATA_DIR=${dataDir} holds other things than Parley's data (thesis.txt). Set DATA_DIR to an empty folder:`,
    )
    await rm(join(dataDir, 'thesis.txt'))
    await mkdir(join(dataDir, 'postgres/data'), { recursive: true })
    await writeFile(join(dataDir, 'secrets.json'), '{')
    await expectRefusal({}, `${join(dataDir, 'secrets.json')} is not JSON.`)
    await writeFile(join(dataDir, 'parley.pid'), `${process.pid} \n`)
    await expectRefusal({}, `Parley runs on the data in ${dataDir} already (process ${process.pid}). Stop it first,`)
  })

  test.each([
    [
      'PORT',
      'abc',
      'PORT: must be a whole number from 1 to 65535, not "abc". Correct it, or remove it (default: 3000).',
    ],
    ['CARRIER', 'twilio', 'CARRIER=twilio needs TWILIO_ACCOUNT_SID, and TWILIO_AUTH_TOKEN or'],
    ['LOG_LEVEL', 'loud', 'LOG_LEVEL: must be one of fatal, error, warn, info, debug, trace, silent, not "loud".'],
    ['SMTP_URL', 'foo', 'SMTP_URL: must be an address such as smtp://user:password@host:587. Correct it, or remove it'],
  ])('with %s=%s prints one error and does not restart', async (name, value, sentence) => {
    await expectRefusal({ [name]: value }, sentence)
  })

  test('that waits for its database ends within 2 s of Ctrl-C', async () => {
    const answering = createServer()
    await new Promise<void>((done) => answering.listen(0, '127.0.0.1', done))
    const address = answering.address()
    const port = typeof address === 'object' ? address?.port : undefined
    // Load only adds time: the best of three counts.
    let bestMs = Infinity
    for (let attempt = 1; attempt <= 3 && bestMs >= 2000; attempt++) {
      const asked = new Promise((connected) => answering.once('connection', connected))
      const { code, tookMs } = await stoppedWhen(asked, { DATABASE_URL: `postgres://app:x@127.0.0.1:${port}/x` })
      expect(code).toBe(0)
      bestMs = Math.min(bestMs, tookMs)
    }
    answering.closeAllConnections()
    answering.close()
    expect(bestMs).toBeLessThan(2000)
  })

  test('with a malformed DATABASE_URL names the variable', async () => {
    await expectRefusal(
      { DATABASE_URL: 'localhost:5432' },
      'DATABASE_URL: must be an address such as postgres://user:password@host:5432/parley',
    )
  })
})
