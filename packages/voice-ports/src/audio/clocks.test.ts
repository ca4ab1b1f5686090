import { describe, expect, it } from 'vitest'
import type { Clock } from './clock.ts'
import { systemClock } from './system-clock.ts'
import { frameTicker } from './ticker.ts'
import { TimerQueue } from './timers.ts'
import { virtualClock } from './virtual-clock.ts'

const reached = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

describe('TimerQueue', () => {
  it('runs timers by due time, and by insertion within one due time', () => {
    const timers = new TimerQueue()
    const order: string[] = []
    for (const [dueMs, name] of [
      [30, 'd'],
      [10, 'a'],
      [20, 'b'],
      [20, 'c'],
      [5, 'cancelled'],
      [40, 'late'],
    ] as const) {
      const cancel = timers.add(dueMs, () => void order.push(name))
      if (name === 'cancelled') cancel()
    }
    timers.runDue(30)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
    expect(timers.nextDueMs()).toBe(40)
  })

  it('keeps 2000 timers in order', () => {
    const timers = new TimerQueue()
    const ran: number[] = []
    const dues = Array.from({ length: 2000 }, (_, at) => (at * 7919) % 503)
    for (const dueMs of dues) timers.add(dueMs, () => void ran.push(dueMs))
    timers.runDue(1000)
    expect(ran).toEqual(dues.toSorted((a, b) => a - b))
  })
})

describe('virtualClock', () => {
  it('runs timers at their due times and settles promises in between', async () => {
    const clock = virtualClock()
    const seen: [string, number][] = []
    const note = (name: string) => void seen.push([name, clock.nowMs()])
    clock.after(10, () => {
      note('first')
      void Promise.resolve().then(() => clock.after(5, () => note('behind a promise')))
    })
    clock.after(15.5, () => note('second'))
    await clock.advance(20)
    expect(seen).toEqual([
      ['first', 10],
      ['behind a promise', 15],
      ['second', 15.5],
    ])
    expect(clock.nowMs()).toBe(20)
  })
})

/** What a call does: paced work with promises in between. Returns the times at which it did it. */
async function pacedCall(clock: Clock, beats: number): Promise<number[]> {
  await reached(clock, 1)
  const startedMs = clock.nowMs()
  const times: number[] = []
  for (let beat = 0; beat < beats; beat++) {
    await reached(clock, beat % 3 === 0 ? 7 : 20)
    await Promise.resolve()
    times.push(clock.nowMs() - startedMs)
  }
  return times
}

describe('systemClock', () => {
  it('at speed 1 tells after a stall when something arrived, while nowMs() stands at the task that is due', () => {
    const clock = systemClock(1)
    clock.after(20, () => undefined)
    const untilMs = performance.now() + 100
    while (performance.now() < untilMs) void 0
    const arrivedMs = clock.arrivalMs!()
    expect(arrivedMs - clock.nowMs()).toBeGreaterThanOrEqual(79)
  })

  it.each([10, 50, 100])('at speed %i gives the same call times as a virtual clock', async (speed) => {
    const virtual = virtualClock()
    const expected = pacedCall(virtual, 60)
    await virtual.advance(2000)
    expect(await pacedCall(systemClock(speed), 60)).toEqual((await expected).map((ms) => expect.closeTo(ms, 6)))
  })

  it('runs timers in due order although many are late', async () => {
    const clock = systemClock(100)
    // Within a task time stands still, so what is set here is exact.
    await reached(clock, 1)
    const ran: { dueMs: number; nowMs: number }[] = []
    const done = Promise.all(
      Array.from({ length: 50 }, (_, at) => {
        const dueMs = clock.nowMs() + 500 - at * 10
        return new Promise<void>(
          (resolve) => void clock.after(500 - at * 10, () => resolve(void ran.push({ dueMs, nowMs: clock.nowMs() }))),
        )
      }),
    )
    const busyUntil = performance.now() + 10
    while (performance.now() < busyUntil);
    await done
    expect(ran.map(({ dueMs }) => dueMs)).toEqual(ran.map(({ dueMs }) => dueMs).toSorted((a, b) => a - b))
    for (const { dueMs, nowMs } of ran) expect(nowMs).toBeCloseTo(dueMs, 6)
  })

  it('neither runs ahead of the wall clock nor drifts behind it', async () => {
    const clock = systemClock(1)
    const startedAt = performance.now()
    const startedMs = clock.nowMs()
    for (let beat = 0; beat < 10; beat++) {
      await reached(clock, 20)
      expect(clock.nowMs() - startedMs).toBeLessThanOrEqual(performance.now() - startedAt + 0.5)
    }
    expect(clock.nowMs() - startedMs).toBeGreaterThanOrEqual(200)
  })

  it('keeps chained timers on their grid when each one runs late', async () => {
    const clock = systemClock(1)
    const times: number[] = []
    await new Promise<void>((resolve) => {
      const beat = () => {
        times.push(clock.nowMs())
        const busyUntil = performance.now() + 7
        while (performance.now() < busyUntil);
        if (times.length < 10) clock.after(10, beat)
        else resolve()
      }
      clock.after(10, beat)
    })
    const firstMs = times[0]!
    expect(times.map((ms) => ms - firstMs)).toEqual(times.map((_, at) => expect.closeTo(at * 10, 6)))
  })

  it('stops call time between hold() and release', async () => {
    const clock = systemClock(100)
    const release = clock.hold()
    let rang = false
    clock.after(1, () => (rang = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(rang).toBe(false)
    const heldMs = clock.nowMs()
    release()
    release()
    await reached(clock, 10)
    expect(rang).toBe(true)
    expect(clock.nowMs() - heldMs).toBeLessThan(500)
  })

  it('ignores hold() at speed 1', async () => {
    const clock = systemClock(1)
    clock.hold()
    await reached(clock, 5)
    expect(clock.nowMs()).toBeGreaterThanOrEqual(5)
  })
})

describe('frameTicker', () => {
  it('runs each task every 20 ms in one of four phases until it leaves', async () => {
    const clock = virtualClock()
    const ticker = frameTicker(clock)
    const beats = Array.from({ length: 40 }, (): number[] => [])
    const leave = beats.map((times) => ticker.join(() => void times.push(clock.nowMs())))
    await clock.advance(1000)
    for (const times of beats) {
      expect(times.length).toBeGreaterThanOrEqual(50)
      expect(times.every((ms, at) => ms === times[0]! + at * 20)).toBe(true)
      expect(times[0]).toBeLessThanOrEqual(20)
    }
    const phases = Map.groupBy(beats, (times) => times[0]! % 20)
    expect([...phases.keys()].toSorted((a, b) => a - b)).toEqual([0, 5, 10, 15])
    for (const calls of phases.values()) expect(calls.length).toBeLessThanOrEqual(16)
    for (const stop of leave) stop()
    const before = beats.map((times) => times.length)
    await clock.advance(1000)
    expect(beats.map((times) => times.length)).toEqual(before)
  })

  it('runs a watched task at each beat from its time on, until the time is moved on or the watch leaves', async () => {
    const clock = virtualClock()
    const ticker = frameTicker(clock)
    const times = Array.from({ length: 100 }, (): number[] => [])
    const watches = times.map((own) => ticker.watch(() => void own.push(clock.nowMs())))
    await clock.advance(200)
    expect(times.flat()).toEqual([])
    for (const [at, watch] of watches.entries()) watch.dueFrom(at % 2 === 0 ? 310 : 1000)
    await clock.advance(200)
    for (const [at, own] of times.entries()) expect(own.length).toBe(at % 2 === 0 ? 5 : 0)
    for (const own of times) expect(own.every((ms, at) => ms >= 310 && ms === own[0]! + at * 20)).toBe(true)
    watches[0]?.dueFrom(2000)
    watches[2]?.leave()
    watches[2]?.dueFrom(0)
    const before = times.map((own) => own.length)
    await clock.advance(100)
    expect([times[0]?.length, times[2]?.length]).toEqual([before[0], before[2]])
    expect(times[4]?.length).toBe((before[4] ?? 0) + 5)
    for (const watch of watches) watch.leave()
    const after = times.flat().length
    await clock.advance(1000)
    expect(times.flat()).toHaveLength(after)
    let late = 0
    ticker.watch(() => void late++).dueFrom(clock.nowMs())
    await clock.advance(90)
    expect(late).toBe(5)
  })

  it('beats once per 20 ms for a task that leaves and rejoins within a beat', async () => {
    const clock = virtualClock()
    const ticker = frameTicker(clock)
    ticker.join(() => undefined)()
    let beats = 0
    ticker.join(() => void beats++)
    await clock.advance(999)
    expect(beats).toBe(50)
  })
})
