import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { Program } from './program.ts'

test('a program that is killed is started again until it is closed, and its log goes on', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-program-'))
  const log = join(dir, 'log')
  const args = ['-e', 'console.log("up"); setInterval(() => {}, 1000)']
  const program = new Program({ name: 'one', command: process.execPath, args, environment: {}, log })
  const ups = async () => (await readFile(log, 'utf8').catch(() => '')).split('up').length - 1
  await vi.waitFor(async () => expect(await ups()).toBe(1), 40_000)
  program.signal('SIGKILL')
  await vi.waitFor(async () => expect(await ups()).toBe(2), 40_000)
  await program.close()
  expect(program.starts).toBe(2)
  await rm(dir, { recursive: true, force: true })
})

test('a program that is replaced ends by SIGTERM and another one is started', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'parley-program-'))
  const log = join(dir, 'log')
  const saying = (word: string) => ({
    name: 'one',
    command: process.execPath,
    args: ['-e', `console.log('${word}'); setInterval(() => {}, 1000)`],
    environment: {},
    log,
  })
  const program = new Program(saying('old'))
  const text = () => readFile(log, 'utf8').catch(() => '')
  await vi.waitFor(async () => expect(await text()).toBe('old\n'), 40_000)
  await program.replace(saying('new'))
  await vi.waitFor(async () => expect(await text()).toBe('old\nnew\n'), 40_000)
  await program.close()
  await rm(dir, { recursive: true, force: true })
})
