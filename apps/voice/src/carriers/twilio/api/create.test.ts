import { silent, type TwilioFarEndOptions } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import type { TwilioOptions } from '../options.ts'
import { Dialed, type Line, startLine } from '../testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})
const TO = '+12125550107'
const WAITS = { callbackMs: 300, listAgainMs: 100 }

async function aLine(far: TwilioFarEndOptions = {}, carrier: Partial<TwilioOptions> = {}): Promise<Line> {
  const line = await startLine({
    far: { answering: () => ({ type: 'answers', afterMs: 50, party: () => silent() }), ...far },
    carrier: { waits: WAITS, ...carrier },
  })
  lines.push(line)
  return line
}

/** Callbacks before the answer tell nothing. */
const loseCallbacks = (line: Line) =>
  line.far.faults.set('status', { how: 'lost' }, { times: Infinity, on: ({ event }) => event !== 'completed' })

const live = async (call: Dialed) => {
  await call.until('frame')
  call.far.hangUp()
  await call.ended()
}
const WHOLE = 'placed, ringing, answered, up, down, hung_up, ended remote'

describe.concurrent('a create of unknown outcome', () => {
  it.each([
    ['an error of the server', { how: 'error', made: true }],
    ['no answer in time', { how: 'timeout', made: true }],
    ['a broken connection', { how: 'reset', made: true }],
  ] as const)('is found by its callbacks: %s', async (_, fault) => {
    const line = await aLine({}, { waits: { requestMs: 1000 } })
    line.far.faults.set('create', fault)
    const call = new Dialed(line, TO)
    await live(call)
    expect([call.story, line.far.calls.length]).toEqual([WHOLE, 1])
  })

  it('is found in the list where its callbacks are lost', async () => {
    const line = await aLine({ answering: () => ({ type: 'answers', afterMs: 3000, party: () => silent() }) })
    loseCallbacks(line)
    line.far.faults.set('create', { how: 'error', made: true })
    const call = new Dialed(line, TO)
    await call.until('placed')
    await live(call)
    expect([call.story, line.far.calls.length, line.carrier.counts.adoptedCalls]).toEqual([WHOLE, 1, 1])
  })

  it('is found in the list though it has ended by then', async () => {
    const line = await aLine({ answering: () => ({ type: 'busy' }) })
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity })
    line.far.faults.set('create', { how: 'reset', made: true })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause: 'busy', connectedMs: 0 })
  })

  it('ends as failed only when Twilio has no such call, and is not dialed again', async () => {
    const line = await aLine()
    line.far.faults.set('create', { how: 'error', made: false })
    line.far.faults.set('list', { how: 'error', made: false })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause: 'failed', code: 'lost', connectedMs: 0 })
    expect([call.types, line.far.calls.length]).toEqual([['hung_up', 'ended'], 0])
  })

  it('does not take the call of another leg, nor an earlier one', async () => {
    const line = await aLine({ answering: () => ({ type: 'no_answer' }) })
    const first = new Dialed(line, TO)
    await first.until('ringing')
    line.far.faults.set('create', { how: 'error', made: false })
    const second = new Dialed(line, TO)
    expect(await second.ended()).toMatchObject({ cause: 'failed', code: 'lost' })
    expect(first.types).toEqual(['placed', 'ringing'])
  })

  it('is hung up as soon as it is found where that was asked for meanwhile', async () => {
    const line = await aLine({ answering: () => ({ type: 'no_answer' }) })
    loseCallbacks(line)
    line.far.faults.set('create', { how: 'error', made: true })
    const call = new Dialed(line, TO)
    call.leg.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'canceled', connectedMs: 0 })
    expect(line.far.calls.map(({ status }) => status)).toEqual(['canceled'])
  })

  it('is hung up when it shows up after all', async ({ expect: expectHere }) => {
    const line = await aLine({ answering: () => ({ type: 'no_answer' }) })
    line.far.faults.set('status', { how: 'delayed', ms: 4000 }, { times: 2 })
    line.far.faults.set('list', { how: 'error', made: false }, { times: Infinity })
    line.far.faults.set('create', { how: 'error', made: true })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause: 'failed', code: 'lost' })
    expect(line.far.calls[0]?.status).toBe('ringing')
    await expectHere.poll(() => line.far.calls[0]?.status).toBe('canceled')
    expect(call.types).toEqual(['hung_up', 'ended'])
  })
})

describe.concurrent('a create that Twilio refuses', () => {
  it.each([
    [20_003, 'failed'],
    [21_211, 'not_in_service'],
    [21_212, 'failed'],
    [21_219, 'failed'],
    [21_215, 'failed'],
    [21_216, 'failed'],
    [20_005, 'failed'],
  ] as const)('ends at once with its code: %s', async (code, cause) => {
    const line = await aLine()
    line.far.faults.set('create', { how: 'refused', code })
    const call = new Dialed(line, TO)
    expect(await call.ended()).toMatchObject({ cause, code: `twilio:${code}`, connectedMs: 0, cost: null })
    expect(line.far.calls).toEqual([])
  })

  it('for too many requests is not tried again by itself, and the wait is logged', async () => {
    const line = await aLine()
    line.far.faults.set('create', { how: 'busy', retryAfterSeconds: 7 })
    expect(await new Dialed(line, TO).ended()).toMatchObject({ cause: 'failed', code: 'twilio:20429' })
    expect(line.far.calls).toEqual([])
    expect(line.logged[0]?.fields).toEqual({ status: 429, twilioCode: 20_429, retryAfterSeconds: 7 })
  })

  it('for a caller number of somebody else says so', async () => {
    const line = await aLine()
    const call = new Dialed(line, TO, { from: '+12125550199' })
    expect(await call.ended()).toMatchObject({ cause: 'failed', code: 'twilio:21210' })
  })

  it('for lack of money, a trial or a suspension says which it is', async () => {
    const line = await aLine()
    const { account } = line.far
    account.balance = 0
    expect(await new Dialed(line, TO).ended()).toMatchObject({ code: 'twilio:20005' })
    account.balance = 10
    account.type = 'Trial'
    expect(await new Dialed(line, TO).ended()).toMatchObject({ code: 'twilio:21219' })
    account.status = 'suspended'
    expect(await new Dialed(line, TO).ended()).toMatchObject({ code: 'twilio:20403' })
  })

  it('for a wrong key says so', async () => {
    const line = await aLine({}, { authToken: 'wrong' })
    expect(await new Dialed(line, TO).ended()).toMatchObject({ cause: 'failed', code: 'twilio:20003' })
  })
})
