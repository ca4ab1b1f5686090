import { silent, type TwilioFarEndOptions } from '@parley/sandbox/testing'
import { afterAll, describe, expect, it } from 'vitest'
import type { TwilioOptions } from './options.ts'
import { Dialed, type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})
const TO = '+12125550107'
const { signal } = new AbortController()
/** Twilio counts begun seconds. */
const areSeconds = (ms: number) => ms >= 1000 && ms % 1000 === 0

async function aLine(far: TwilioFarEndOptions = {}, carrier: Partial<TwilioOptions> = {}): Promise<Line> {
  const line = await startLine({
    far: { answering: () => ({ type: 'answers', afterMs: 50, party: () => silent() }), ...far },
    carrier,
  })
  lines.push(line)
  return line
}

async function connected(line: Line): Promise<Dialed> {
  const call = new Dialed(line, TO)
  return call.until('frame')
}

describe.concurrent('hangUp()', () => {
  it('completes an answered call and cancels one that rings', async () => {
    const call = await connected(await aLine())
    call.leg.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'local', connectedMs: expect.toSatisfy(areSeconds) })
    const ringing = new Dialed(await aLine({ answering: () => ({ type: 'no_answer' }) }), TO)
    await ringing.until('ringing')
    ringing.leg.hangUp()
    expect(await ringing.ended()).toMatchObject({ cause: 'canceled', connectedMs: 0 })
    expect([call.far.status, ringing.far.status]).toEqual(['completed', 'canceled'])
  })

  it('before Twilio has answered applies to the call that is being placed', async () => {
    const line = await aLine()
    line.far.faults.set('create', { how: 'slow', ms: 200 })
    const call = new Dialed(line, TO)
    call.leg.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'canceled' })
  })

  it('that fails is not confirmed, and a second one tries again', async () => {
    const line = await aLine()
    const call = await connected(line)
    line.far.faults.set('update', { how: 'error', made: false })
    call.leg.hangUp()
    await call.pass(300)
    expect(call.types).not.toContain('hung_up')
    call.leg.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'local' })
  })

  it('that failed while it rang is made again when the call is answered', async () => {
    const line = await aLine({ answering: () => ({ type: 'answers', afterMs: 500, party: () => silent() }) })
    const call = new Dialed(line, TO)
    await call.until('ringing')
    line.far.faults.set('update', { how: 'error', made: false })
    call.leg.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'local' })
  })

  it('of a call that is answered at the same moment ends it all the same', async () => {
    const line = await aLine({ answering: () => ({ type: 'answers', afterMs: 200, party: () => silent() }) })
    const call = new Dialed(line, TO)
    await call.until('ringing')
    line.far.faults.set('update', { how: 'slow', ms: 300 })
    call.leg.hangUp()
    expect(await call.ended()).toMatchObject({ cause: 'local' })
    expect(call.far.status).toBe('completed')
  })
})

describe.concurrent('hangUp() by id', () => {
  it('ends the call of a process that is gone, and its cause is remembered', async () => {
    const line = await aLine()
    const call = await connected(line)
    const other = await aLine(
      {},
      { accountSid: line.far.accountSid, authToken: line.far.authToken, apiBase: line.far.url },
    )
    await other.carrier.hangUp(call.far.sid, signal)
    expect(await call.ended()).toMatchObject({ cause: 'remote' })
    expect(await other.carrier.ask(call.far.sid, signal)).toMatchObject({ state: 'ended', cause: 'local' })
  })

  it('takes a call that is over or unknown for done, and puts nothing else into a path', async () => {
    const line = await aLine()
    await line.carrier.hangUp(`CA${'0'.repeat(32)}`, signal)
    await line.carrier.hangUp('../Calls', signal)
    expect(await line.carrier.ask(`CA${'0'.repeat(32)}`, signal)).toBeNull()
    expect(await line.carrier.ask('CA/../../x', signal)).toBeNull()
    line.far.faults.set('update', { how: 'refused', code: 21_220 })
    const call = await connected(line)
    await line.carrier.hangUp(call.far.sid, signal)
  })

  it('and ask() reject when Twilio does not answer in time, or the signal says so', async () => {
    const line = await aLine({}, { waits: { requestMs: 1500 } })
    const call = await connected(line)
    line.far.faults.set('update', { how: 'timeout', made: false })
    await expect(line.carrier.hangUp(call.far.sid, signal)).rejects.toThrow('Twilio could not be asked')
    line.far.faults.set('fetch', { how: 'timeout', made: false })
    await expect(line.carrier.ask(call.far.sid, AbortSignal.timeout(50))).rejects.toThrow('Twilio could not be asked')
    line.far.faults.set('fetch', { how: 'error', made: false })
    await expect(line.carrier.ask(call.far.sid, signal)).rejects.toThrow('Twilio answered 500')
  })
})

describe.concurrent('ask()', () => {
  it('tells a live call, its end, and later its price', async () => {
    const line = await aLine({ timing: { priceMs: 300 }, minutePrice: 0.0085 })
    const call = await connected(line)
    expect(await line.carrier.ask(call.far.sid, signal)).toMatchObject({ state: 'live' })
    call.far.hangUp()
    const end = await call.ended()
    expect(end.cost).toBeNull()
    await call.pass(400)
    expect(await line.carrier.ask(call.far.sid, signal)).toEqual({
      state: 'ended',
      cause: 'remote',
      connectedMs: end.connectedMs,
      code: '200',
      cost: { amountMicros: 8500, currency: 'USD' },
    })
  })

  it('tells the end of a call whose process is gone', async () => {
    const line = await aLine({ answering: () => ({ type: 'busy' }) })
    const call = new Dialed(line, TO)
    await call.ended()
    const other = await aLine(
      {},
      { accountSid: line.far.accountSid, authToken: line.far.authToken, apiBase: line.far.url },
    )
    expect(await other.carrier.ask(call.far.sid, signal)).toMatchObject({
      state: 'ended',
      cause: 'busy',
      connectedMs: 0,
    })
  })
})

describe.concurrent('close()', () => {
  it('ends each leg once as dropped, and its call at Twilio', async () => {
    const line = await aLine()
    const calls = [await connected(line), await connected(line)]
    await line.carrier.close()
    for (const call of calls) {
      expect(call.story).toBe('placed, ringing, answered, up, down, hung_up, ended dropped')
      expect(call.far.status).toBe('completed')
    }
    const late = new Dialed(line, TO)
    expect(await late.ended()).toMatchObject({ cause: 'failed', code: 'closed' })
  })

  it('ends a call that is only being placed', async () => {
    const line = await aLine()
    line.far.faults.set('create', { how: 'slow', ms: 200 })
    const call = new Dialed(line, TO)
    await line.carrier.close()
    expect(call.story).toBe('hung_up, ended dropped')
    expect(line.far.calls.map(({ status }) => status)).toEqual(['canceled'])
  })

  it('does not wait for Twilio beyond its bound', async () => {
    const line = await aLine({}, { waits: { closeMs: 200 } })
    const call = await connected(line)
    line.far.faults.set('update', { how: 'timeout', made: false })
    const startedMs = performance.now()
    await line.carrier.close()
    expect(performance.now() - startedMs).toBeLessThan(8000)
    expect(await call.ended()).toMatchObject({ cause: 'dropped' })
  })
})
