import { recorder } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import type { TwilioOptions } from './options.ts'
import { Dialed, type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})
const frameOf = (value: number) => ({ audio: new Uint8Array(160).fill(value) })

async function connected(carrier: Partial<TwilioOptions> = {}) {
  const heard = recorder()
  const line = await startLine({
    far: { answering: () => ({ type: 'answers', afterMs: 30, party: () => heard }) },
    carrier: { waits: { evidenceMs: 1500, streamMs: 5000, requestMs: 1500 }, ...carrier },
  })
  lines.push(line)
  const call = new Dialed(line, '+12125550107')
  await call.until('frame')
  return { line, call, heard, pressed: () => heard.digits.map(({ digit }) => digit).join('') }
}

describe.concurrent('sendDigits()', () => {
  it('presses keys between the sound before and after it, and hides that the stream is replaced', async () => {
    const { call, heard, pressed } = await connected()
    for (let count = 0; count < 10; count++) call.leg.send(frameOf(1))
    call.leg.mark('before')
    call.leg.sendDigits('1w#')
    for (let count = 0; count < 10; count++) call.leg.send(frameOf(2))
    call.leg.mark('behind')
    await call.until('mark', 2)
    expect(pressed()).toBe('1#')
    const firstMs = heard.digits[0]?.atMs ?? 0
    const lastMs = heard.digits[1]?.atMs ?? 0
    expect(lastMs - firstMs).toBeGreaterThan(490)
    expect(heard.heard.filter(({ atMs }) => atMs < firstMs).map(({ audio }) => audio[0])).toEqual(Array(10).fill(1))
    expect(heard.heard.filter(({ atMs }) => atMs > lastMs).map(({ audio }) => audio[0])).toEqual(Array(10).fill(2))
    expect(call.story).toBe('placed, ringing, answered, up, mark before, mark behind')
    expect(new Set(call.far.streams.map(({ url }) => url)).size).toBe(2)
  })

  it('lets media time go on over the gap by about its length', async () => {
    const { call } = await connected()
    await call.until('frame', 10)
    const startMs = call.clock.nowMs()
    const startMedia = call.of('frame').at(-1)?.mediaMs ?? 0
    call.leg.sendDigits('1WW2')
    call.leg.mark('behind')
    await call.until('mark')
    await call.until('frame', call.of('frame').length + 20)
    const times = call.of('frame').map(({ mediaMs }) => mediaMs)
    times.forEach((mediaMs, at) => {
      expect(mediaMs % 20).toBe(0)
      expect(mediaMs).toBeGreaterThan(times[at - 1] ?? -1)
    })
    const elapsedMs = call.clock.nowMs() - startMs
    expect(Math.abs((times.at(-1) ?? 0) - startMedia - elapsedMs)).toBeLessThan(500)
  })

  it('goes out after clear() and keeps what is said after that', async () => {
    const { call, heard, pressed } = await connected()
    for (let count = 0; count < 100; count++) call.leg.send(frameOf(1))
    call.leg.sendDigits('5')
    call.leg.send(frameOf(2))
    call.leg.mark('dropped')
    call.leg.clear()
    call.leg.send(frameOf(3))
    call.leg.mark('kept')
    await call.until('mark')
    expect([pressed(), call.of('mark')]).toEqual(['5', [{ type: 'mark', name: 'kept' }]])
    const values = heard.heard.map(({ audio }) => audio[0])
    expect([values.includes(2), values.at(-1)]).toEqual([false, 3])
    expect(values.length).toBeLessThan(50)
  })

  it('twice in a row presses all in order, by one replacement', async () => {
    const { call, pressed } = await connected()
    call.leg.sendDigits('1')
    call.leg.sendDigits('2')
    call.leg.sendDigits('3')
    call.leg.mark('behind')
    await call.until('mark')
    expect(pressed()).toBe('123')
    expect(call.far.streams.length).toBeLessThanOrEqual(3)
  })

  it.each([
    ['before it took effect', { how: 'error', made: false }, '12', 0],
    ['after it took effect', { how: 'error', made: true }, '12', 0],
    ['without an answer', { how: 'timeout', made: true }, '12', 0],
    ['because too many were asked at once', { how: 'busy', retryAfterSeconds: 1 }, '12', 0],
    ['as a refusal', { how: 'refused', code: 21_205 }, '', 2],
  ] as const)('that fails %s keeps the call, its sound and its marks', async (_, fault, keys, lost) => {
    const { call, line, pressed } = await connected()
    line.far.faults.set('update', fault)
    call.leg.sendDigits('12')
    call.leg.send(frameOf(7))
    call.leg.mark('behind')
    await call.until('mark')
    await call.until('frame', call.of('frame').length + 5)
    expect([pressed(), line.carrier.counts.lostDigits]).toEqual([keys, lost])
    expect(call.story).toBe('placed, ringing, answered, up, mark behind')
  })

  it('that fails twice is given up, and the sound goes on', async () => {
    const { call, line, pressed } = await connected()
    line.far.faults.set('update', { how: 'reset', made: false }, { times: 2 })
    call.leg.sendDigits('9')
    call.leg.mark('behind')
    await call.until('mark')
    expect([pressed(), line.carrier.counts.lostDigits]).toEqual(['', 1])
    expect(line.logged.at(-1)?.message).toBe('digits not played')
  })

  it('whose sound does not come back ends the call, and says so', async () => {
    const { call, line } = await connected({ waits: { streamMs: 1500 } })
    line.far.faults.set('stream', { how: 'slow_open', ms: 60_000 })
    call.leg.sendDigits('9')
    expect((await call.ended()).cause).toBe('dropped')
    expect([call.far.status, line.carrier.counts.lostStreams]).toEqual(['completed', 1])
    expect(call.story).toBe('placed, ringing, answered, up, down, hung_up, ended dropped')
  })

  it('meets a callee who hangs up meanwhile', async () => {
    const { call } = await connected()
    call.leg.sendDigits('1W2')
    await call.pass(600)
    call.far.hangUp()
    expect((await call.ended()).cause).toBe('remote')
    expect(call.of('ended')).toHaveLength(1)
  })

  it('before a transfer is played first', async () => {
    const { call, line, pressed } = await connected()
    call.leg.sendDigits('42')
    call.leg.transfer('+12125550108')
    expect((await call.ended()).cause).toBe('transferred')
    expect([pressed(), line.far.calls.length]).toEqual(['42', 2])
    expect(call.story).toBe('placed, ringing, answered, up, down, hung_up, ended transferred')
  })

  it('presses nothing that is no key', async () => {
    const { call, heard } = await connected()
    for (const text of ['1a', '<Play/>', '1 2', '', '"/><Dial>+12125550108</Dial>']) call.leg.sendDigits(text)
    call.leg.mark('behind')
    await call.until('mark')
    expect([heard.digits, call.far.streams.length]).toEqual([[], 1])
  })
})
