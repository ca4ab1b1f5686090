import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { keepRunning, Restarts } from './keep-running.ts'

const PATIENTLY = { timeout: 40_000, interval: 20 } as const
const run = async (code: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'ignore', 'pipe'] })
  await once(child, 'spawn')
  return child
}
const LIVES = 'setInterval(() => {}, 1000)'
const kill = async (child: ChildProcess) => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

test('Restarts doubles pauses up to a maximum, forgets old deaths and ends after too many', () => {
  const restarts = new Restarts({ firstPauseMs: 100, longestPauseMs: 300, deathsMax: 4, withinMs: 1000 })
  expect([0, 1, 2, 3].map((at) => restarts.died(at))).toEqual([100, 200, 300, 300])
  expect(restarts.died(4)).toBeNull()
  expect(restarts.died(1500)).toBe(100)
})

test('starts a killed process again and says the signal', async () => {
  const said: string[] = []
  const children = [await run(LIVES)]
  const start = async () => {
    const child = await run(LIVES)
    children.push(child)
    return child
  }
  const kept = keepRunning(children[0]!, {
    name: 'The part',
    start,
    say: (line) => said.push(line),
    giveUp: () => expect.unreachable(),
    pace: { firstPauseMs: 1 },
  })
  await kill(children[0]!)
  await vi.waitFor(() => expect(children).toHaveLength(2), PATIENTLY)
  expect(said).toEqual(['The part stopped (signal SIGKILL). Starting it again in 0.001 s.'])
  await kept.stop(kill)
  expect(children[1]!.signalCode).toBe('SIGKILL')
  expect(said).toHaveLength(1)
})

test('gives up with the exit code and the last line of standard error', async () => {
  const start = () => run("console.error('first'); console.error('No room left.'); process.exitCode = 3")
  const sentence = await new Promise<string>((giveUp) => {
    void start().then((first) =>
      keepRunning(first, {
        name: 'The part',
        start,
        say: () => undefined,
        giveUp,
        pace: { firstPauseMs: 1, longestPauseMs: 1, deathsMax: 2 },
      }),
    )
  })
  expect(sentence).toBe(
    'The part stopped 3 times in 5 minutes, the last time with exit code 3: No room left. It is not started again.',
  )
})

test('a failed start counts as a death, and stop() starts nothing more', async () => {
  const first = await run(LIVES)
  const said: string[] = []
  let starts = 0
  const start = () => Promise.reject(new Error(`no start ${++starts}`))
  const kept = keepRunning(first, {
    name: 'The part',
    start,
    say: (line) => said.push(line),
    giveUp: () => expect.unreachable(),
    pace: { firstPauseMs: 1 },
  })
  await kill(first)
  await vi.waitFor(() => expect(said.some((line) => line.includes('(no start 2)'))).toBe(true), PATIENTLY)
  await kept.stop(kill)
  const before = said.length
  await new Promise((resolve) => setImmediate(resolve))
  expect(said).toHaveLength(before)
})

test('goes on after errors of signals and of standard error', async () => {
  const said: string[] = []
  const child = await run(LIVES)
  const kept = keepRunning(child, {
    name: 'The part',
    start: () => expect.unreachable(),
    say: (line) => said.push(line),
    giveUp: () => expect.unreachable(),
  })
  // Node's error for a process that it may not signal.
  child.emit('error', new Error('kill EPERM'))
  const closed = new Promise((resolve) => child.stderr!.once('close', resolve))
  child.stderr!.destroy(new Error('read EIO'))
  await closed
  expect(said).toEqual(['The part: kill EPERM', 'The part: read EIO'])
  await kept.stop(kill)
  expect(child.signalCode).toBe('SIGKILL')
})

test('a process that ended for its configuration (exit code 78) is not started again', async () => {
  const first = await run("console.error('LOG_LEVEL: must be one of two.'); process.exitCode = 78")
  const sentence = await new Promise<string>((giveUp) => {
    const start = () => expect.unreachable()
    keepRunning(first, { name: 'The part', start, say: () => undefined, giveUp, pace: { firstPauseMs: 1 } })
  })
  expect(sentence).toBe(
    'The part stopped because of its configuration (exit code 78: LOG_LEVEL: must be one of two.). It is not started again.',
  )
})
