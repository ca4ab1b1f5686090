import { hangsUpAfter, type Pickup, recorder, silent } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { Dialed, type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})
const TO = '+12125550107'
const OTHER = '+12125550108'

async function connected(other: Pickup, party = silent(), streamMs = 5000) {
  const line = await startLine({
    far: { answering: (to) => (to === OTHER ? other : { type: 'answers', afterMs: 30, party: () => party }) },
    carrier: { waits: { evidenceMs: 1500, streamMs } },
  })
  lines.push(line)
  const call = new Dialed(line, TO)
  await call.until('frame')
  return { line, call, other: () => line.far.calls.find(({ to }) => to === OTHER) }
}

const answering = (party = silent()): Pickup => ({ type: 'answers', afterMs: 200, party: () => party })

describe.concurrent('transfer()', () => {
  it('ends the leg as transferred when the other party answers, and leaves the two talking', async () => {
    const { call, line, other } = await connected(answering(hangsUpAfter(600)))
    call.leg.transfer(OTHER)
    const { type: _, ...end } = await call.ended()
    expect(end.cause).toBe('transferred')
    expect(call.story).toBe('placed, ringing, answered, up, down, hung_up, ended transferred')
    expect([call.far.status, other()?.from]).toEqual(['in-progress', line.far.number])
    const { signal } = new AbortController()
    expect(await line.carrier.ask(call.far.sid, signal)).toEqual({ state: 'ended', ...end })
    // The other party hangs up: nothing is left for the callee.
    await expect(hungUp(call)).resolves.toBe('completed')
    expect(call.of('ended')).toHaveLength(1)
  })

  it('is told by the end of the other call where its answer is lost', async () => {
    const { call, line } = await connected(answering(hangsUpAfter(100)))
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity, on: ({ to }) => to === OTHER })
    call.leg.transfer(OTHER)
    expect((await call.ended()).cause).toBe('transferred')
  })

  it.each([
    ['busy', { type: 'busy' }, 'The number was busy.'],
    ['no answer', { type: 'no_answer', afterMs: 100 }, 'Nobody answered.'],
    ['a number that does not exist', { type: 'fails', sipCode: 404 }, 'The number could not be reached.'],
  ] as const)('that fails brings the sound back: %s', async (_, pickup, message) => {
    const heard = recorder()
    const { call } = await connected(pickup, heard)
    call.leg.transfer(OTHER)
    await call.until('transfer_failed')
    call.leg.send({ audio: new Uint8Array(160) })
    call.leg.mark('back')
    await call.until('mark')
    await call.until('frame', call.of('frame').length + 5)
    expect(call.of('transfer_failed')).toEqual([{ type: 'transfer_failed', message }])
    expect(call.story).toBe('placed, ringing, answered, up, down, transfer_failed, up, mark back')
    expect(heard.heard).toHaveLength(1)
    const times = call.of('frame').map(({ mediaMs }) => mediaMs)
    times.forEach((mediaMs, at) => expect(mediaMs - (times[at - 1] ?? -20)).toBeGreaterThanOrEqual(20))
    expect((times.at(-1) ?? 0) % 20).toBe(0)
  })

  it('can be tried again after a failure', async () => {
    let calls = 0
    const line = await startLine({
      far: {
        answering: (to) => (to === OTHER && calls++ === 0 ? { type: 'busy' } : answering()),
      },
    })
    lines.push(line)
    const call = new Dialed(line, TO)
    await call.until('frame')
    call.leg.transfer(OTHER)
    await call.until('media', 3)
    call.leg.transfer(OTHER)
    expect((await call.ended()).cause).toBe('transferred')
  })

  it('that Twilio refuses leaves the sound as it is', async () => {
    const { call, line } = await connected(answering())
    line.far.faults.set('update', { how: 'refused', code: 21_205 })
    call.leg.transfer(OTHER)
    await call.until('transfer_failed')
    expect(call.story).toBe('placed, ringing, answered, up, transfer_failed')
    expect(call.of('transfer_failed')[0]?.message).toMatch(/did not take the transfer\. Twilio does not accept/)
    await call.until('frame', call.of('frame').length + 5)
  })

  it('of unknown outcome is taken for what the stream says', async () => {
    const taken = await connected(answering())
    taken.line.far.faults.set('update', { how: 'error', made: true })
    taken.call.leg.transfer(OTHER)
    expect((await taken.call.ended()).cause).toBe('transferred')
    const not = await connected(answering())
    not.line.far.faults.set('update', { how: 'error', made: false })
    not.call.leg.transfer(OTHER)
    await not.call.until('transfer_failed')
    expect(not.other()).toBeUndefined()
  })

  it('that the callee does not wait for ends as theirs', async () => {
    const { call } = await connected({ type: 'no_answer' })
    call.leg.transfer(OTHER)
    await call.until('media', 2)
    call.far.hangUp()
    expect((await call.ended()).cause).toBe('remote')
    expect(call.types).not.toContain('transfer_failed')
  })

  it('ends with a hang-up of ours, and dials nobody who is no number', async () => {
    const { call, line } = await connected({ type: 'no_answer' })
    for (const text of ['', '12125550108', '+1 212', `${OTHER}"/><Dial>`]) call.leg.transfer(text)
    await call.pass(200)
    expect(line.far.calls).toHaveLength(1)
    call.leg.transfer(OTHER)
    await call.until('media', 2)
    call.leg.hangUp()
    expect((await call.ended()).cause).toBe('local')
    expect(line.far.calls.map(({ status }) => status)).toEqual(['completed', 'canceled'])
  })

  it('whose sound does not come back ends the call as dropped', async () => {
    const { call, line } = await connected({ type: 'busy' }, silent(), 1500)
    line.far.faults.set('stream', { how: 'slow_open', ms: 60_000 })
    call.leg.transfer(OTHER)
    expect((await call.ended()).cause).toBe('dropped')
    expect([call.of('transfer_failed').length, line.carrier.counts.lostStreams]).toEqual([1, 1])
  })
})

async function hungUp(call: Dialed): Promise<string> {
  for (let waited = 0; call.far.status === 'in-progress' && waited < 200; waited++) await call.pass(50)
  return call.far.status
}
