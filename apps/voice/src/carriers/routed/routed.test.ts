import { type LegEvent, silentFrame, virtualClock } from '@parley/voice-ports'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { inProcessLimits, routedCarrier } from './index.ts'
import { ScriptedCarrier, stageRouted } from './testing/scripted.ts'

const signal = new AbortController().signal

describe('the choice of a carrier', () => {
  it.each([
    ['+12024561111', 'twilio', 'the usual order'],
    ['+4930901820', 'sip', 'the order of its country'],
    ['+12025550100', 'sip', 'the carrier of special numbers'],
    ['+15005550006', 'twilio', 'the usual order, without a known country'],
  ])('for %s is %s: %s', async (to, name) => {
    const routes = {
      countries: { DE: ['sip', 'twilio'] },
      special: { carrier: 'sip', takes: (number: string) => number === '+12025550100' },
    }
    const { first, second, dial } = stageRouted(virtualClock(), { routes })
    await dial({ to })
    expect([...first.dialed.map(() => 'twilio'), ...second.dialed.map(() => 'sip')]).toEqual([name])
  })

  it('takes the order of the United States for a fictional number without a country', async () => {
    const { first, second, dial } = stageRouted(virtualClock(), { routes: { countries: { US: ['sip'] } } })
    await dial({ to: '+15005550006' })
    expect([first.dialed.length, second.dialed.length]).toEqual([0, 1])
  })

  it('refuses a route over a carrier that is not there', () => {
    expect(() => stageRouted(virtualClock(), { routes: { usual: ['pigeon'] } })).toThrow('no carrier pigeon')
  })
})

describe('fail-over', () => {
  it.each<[string, LegEvent[], string | null]>([
    ['failed without an id', [], '403'],
    ['failed with an id and no code', [{ type: 'placed', carrierCallId: '1' }], null],
    ['failed with an id and 503', [{ type: 'placed', carrierCallId: '1' }], '503'],
    ["failed with an id and the carrier's refusal of us", [{ type: 'placed', carrierCallId: '1' }], '403'],
  ])('tries the next carrier when the first one %s', async (_, before, code) => {
    const clock = virtualClock()
    const { first, second, dial, events } = stageRouted(clock)
    await dial()
    for (const event of before) first.emit(event)
    first.end('failed', code)
    await clock.advance(0)
    expect(second.dialed).toHaveLength(1)
    second.place('2')
    second.emit({ type: 'ringing' })
    expect(events.slice(before.length)).toEqual([{ type: 'placed', carrierCallId: 'sip:2' }, { type: 'ringing' }])
    // The first one has nothing more to say.
    first.emit({ type: 'ringing' })
    first.end('busy')
    expect(events.at(-1)).toEqual({ type: 'ringing' })
  })

  const placed: LegEvent = { type: 'placed', carrierCallId: '1' }
  const ringing: LegEvent = { type: 'ringing' }
  it.each<[string, LegEvent[], Parameters<ScriptedCarrier['end']>]>([
    ['busy', [placed], ['busy', '486']],
    ['busy without an id', [], ['busy']],
    ['no answer', [placed, ringing], ['no_answer']],
    ['a number not in service', [placed], ['not_in_service', '404']],
    ["a failure of the callee's side", [placed], ['failed', '480']],
    ['a failure that may have reached the callee', [], ['failed', 'lost']],
    ['a refusal of the callee', [placed], ['failed', '603']],
    ['a failure while it rings', [placed, ringing], ['failed', '503']],
    ['a failure after the answer', [placed, ringing, { type: 'answered' }], ['failed', '503']],
    ['a failure after early media', [placed, { type: 'media', state: 'up' }], ['failed', '503']],
    ['a dropped leg', [placed], ['dropped', '503']],
  ])('never dials again after %s', async (_, before, [cause, code = null]) => {
    const clock = virtualClock()
    const { first, second, dial, events, types } = stageRouted(clock)
    await dial()
    for (const event of before) first.emit(event)
    first.end(cause, code)
    await clock.advance(60_000)
    expect(second.dialed).toEqual([])
    expect(types().filter((type) => type === 'hung_up')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'ended', cause, code })
  })

  it.each(['ringing', 'answered'] as const)('never dials again when %s was followed by a bare end', async (reached) => {
    const clock = virtualClock()
    const { first, second, dial, events } = stageRouted(clock)
    await dial()
    first.emit({ type: reached })
    first.emit({ type: 'ended', cause: 'failed', connectedMs: 0, code: '503', cost: null })
    await clock.advance(60_000)
    expect(second.dialed).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: 'ended', cause: 'failed' })
  })

  it('ends as the carrier says when it is hung up and the end comes alone', async () => {
    const clock = virtualClock()
    const { first, second, dial, types } = stageRouted(clock)
    const leg = await dial()
    leg.hangUp()
    first.emit({ type: 'ended', cause: 'failed', connectedMs: 0, code: '503', cost: null })
    expect(types()).toEqual(['ended'])
    await clock.advance(60_000)
    expect([second.dialed, types()]).toEqual([[], ['ended']])
  })

  it('ends once, with the last code, when every carrier fails', async () => {
    const clock = virtualClock()
    const { first, second, dial, events } = stageRouted(clock)
    await dial()
    first.end('failed', '503')
    await clock.advance(0)
    second.isThrowing = true
    second.end('failed', '500')
    await clock.advance(0)
    expect(events).toEqual([
      { type: 'hung_up' },
      { type: 'ended', cause: 'failed', connectedMs: 0, code: '500', cost: null, carrier: 'sip' },
    ])
  })

  it('tells what the last carrier refused, and which one it was', async () => {
    const clock = virtualClock()
    const { first, second, dial, events } = stageRouted(clock)
    await dial()
    const failed = { type: 'ended', cause: 'failed', connectedMs: 0, code: 'x', cost: null } as const
    first.emit({ ...failed, refusal: 'funds' })
    await clock.advance(0)
    second.emit({ ...failed, refusal: 'caller_number' })
    await clock.advance(0)
    expect(events.at(-1)).toMatchObject({ refusal: 'caller_number', carrier: 'sip' })
  })

  it('goes on with the next carrier when an adapter throws', async () => {
    const clock = virtualClock()
    const { first, second, dial } = stageRouted(clock)
    first.isThrowing = true
    await dial()
    await clock.advance(0)
    expect(second.dialed).toHaveLength(1)
  })

  it('waits for the cause, and takes a leg whose cause is not told for over after 3 s', async () => {
    const clock = virtualClock()
    const { first, second, dial, types } = stageRouted(clock)
    await dial()
    first.place()
    first.emit({ type: 'hung_up' })
    await clock.advance(2999)
    expect(types()).toEqual(['placed'])
    await clock.advance(1)
    expect(types()).toEqual(['placed', 'hung_up'])
    first.emit({ type: 'ended', cause: 'failed', connectedMs: 0, code: '503', cost: null })
    await clock.advance(1000)
    expect(types()).toEqual(['placed', 'hung_up', 'ended'])
    expect(second.dialed).toEqual([])
  })

  it('dials nobody else once it is hung up', async () => {
    const clock = virtualClock()
    const { first, second, dial, events } = stageRouted(clock)
    const leg = await dial()
    leg.hangUp()
    expect(first.sent).toEqual(['hang up'])
    first.end('failed', '503')
    await clock.advance(0)
    expect(second.dialed).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: 'ended', cause: 'failed' })
  })

  it('sends to the carrier that has the leg, and can what that one can', async () => {
    const clock = virtualClock()
    const { first, second, dial } = stageRouted(clock)
    second.capabilities = { ...second.capabilities, playout: 'ours', transfer: true }
    const leg = await dial()
    expect(leg.capabilities).toBe(first.capabilities)
    first.end('failed')
    leg.send(silentFrame())
    expect(leg.capabilities).toMatchObject({ digits: false, transfer: false })
    await clock.advance(0)
    expect(leg.capabilities).toBe(second.capabilities)
    leg.send(silentFrame())
    leg.mark('m')
    leg.clear()
    leg.sendDigits('1')
    leg.transfer('+12025550107')
    leg.hangUp()
    expect(second.sent).toEqual(['frame', 'mark m', 'clear', 'digits 1', 'transfer +12025550107', 'hang up'])
    expect(first.sent).toEqual([])
  })
})

describe('a call by its id', () => {
  it('is asked about and hung up at the carrier that its id tells, also by another process', async () => {
    const { first, second, routed } = stageRouted(virtualClock())
    second.known.set('a@b', { state: 'live', connectedMs: 1 })
    first.known.set('a@b', { state: 'live', connectedMs: 2 })
    expect(await routed.ask('sip:a@b', signal)).toEqual({ state: 'live', connectedMs: 1 })
    expect(await routed.ask('twilio:a@b', signal)).toEqual({ state: 'live', connectedMs: 2 })
    expect(await routed.ask('sip:other', signal)).toBeNull()
    await routed.hangUp('sip:a@b', signal)
    expect([first.hungUpById, second.hungUpById]).toEqual([[], ['a@b']])
  })

  it('that tells no carrier is looked for at each', async () => {
    const { first, second, routed } = stageRouted(virtualClock())
    second.known.set('old', { state: 'live', connectedMs: 1 })
    expect(await routed.ask('old', signal)).toEqual({ state: 'live', connectedMs: 1 })
    expect(await routed.ask('unknown', signal)).toBeNull()
    await routed.hangUp('old', signal)
    expect([first.hungUpById, second.hungUpById]).toEqual([['old'], ['old']])
    first.isMute = true
    expect(await routed.ask('old', signal)).toEqual({ state: 'live', connectedMs: 1 })
    await expect(routed.ask('unknown', signal)).rejects.toThrow('cannot be asked')
  })

  it('cannot be asked about when its carrier is not configured any more', async () => {
    const { routed } = stageRouted(virtualClock())
    await expect(routed.ask('telnyx:1', signal)).rejects.toThrow('carrier telnyx, which is not configured')
    await expect(routed.hangUp('telnyx:1', signal)).rejects.toThrow('not configured')
  })
})

describe('the limits of a carrier', () => {
  const limits = { twilio: { callsPerSecond: 1, callsAtOnce: 2 }, sip: { callsPerSecond: 100, callsAtOnce: 1 } }
  const stage = () => {
    const clock = virtualClock()
    return { clock, ...stageRouted(clock, { limits: inProcessLimits(limits, clock) }) }
  }

  it('hold a call back until its start is due', async () => {
    const { clock, first, dial } = stage()
    await dial()
    await dial()
    expect(first.dialed).toHaveLength(1)
    await clock.advance(999)
    expect(first.dialed).toHaveLength(1)
    await clock.advance(1)
    expect(first.dialed).toHaveLength(2)
  })

  it('pass a call that would wait for more than 3 s to the next carrier, and fail it without one', async () => {
    const clock = virtualClock()
    const slow = { ...limits, twilio: { callsPerSecond: 0.25, callsAtOnce: 9 } }
    const { first, second, dial, events } = stageRouted(clock, { limits: inProcessLimits(slow, clock) })
    await dial()
    await dial()
    await dial()
    expect([first.dialed.length, second.dialed.length]).toEqual([1, 1])
    expect(events).toMatchObject([{ type: 'hung_up' }, { type: 'ended', cause: 'failed', code: 'too_many_a_second' }])
  })

  it('free the place of a leg that has hung up, once', async () => {
    const { clock, first, second, dial } = stage()
    await dial()
    await clock.advance(1000)
    await dial()
    await clock.advance(5000)
    await dial()
    expect([first.dialed.length, second.dialed.length]).toEqual([2, 1])
    // Its duration may come late.
    first.emit({ type: 'ringing' })
    first.emit({ type: 'hung_up' })
    await dial()
    await clock.advance(1000)
    await dial()
    expect([first.dialed.length, second.dialed.length]).toEqual([3, 1])
  })

  it('free the place of a leg whose end is never told', async () => {
    const { clock, first, second, dial } = stage()
    const fill = async () => {
      for (let call = 0; call < 3; call++) {
        await dial()
        await clock.advance(1500)
      }
    }
    await fill()
    await fill()
    expect([first.dialed.length, second.dialed.length]).toEqual([2, 1])
    // The longest ringing, the longest call, and a minute.
    await clock.advance(45_000 + 60_000 + 60_000)
    await fill()
    expect([first.dialed.length, second.dialed.length]).toEqual([4, 2])
  })

  it('give the start of a call that is hung up while it waits to the next one', async () => {
    const { clock, first, second, dial, events } = stage()
    await dial()
    const waiting = await dial()
    await clock.advance(500)
    waiting.hangUp()
    await clock.advance(0)
    expect(events).toMatchObject([{ type: 'hung_up' }, { type: 'ended', cause: 'canceled' }])
    await dial()
    await clock.advance(500)
    expect([first.dialed.length, second.dialed.length]).toEqual([2, 0])
  })
})

it('close() ends legs that no carrier has yet, and closes each carrier', async () => {
  const clock = virtualClock()
  const never = { take: () => new Promise<never>(() => undefined), close: () => Promise.resolve() }
  const { routed, dial, events, first, second } = stageRouted(clock, { limits: never })
  await dial()
  await routed.close()
  expect(events).toMatchObject([{ type: 'hung_up' }, { type: 'ended', cause: 'dropped' }])
  expect([first.closed, second.closed]).toEqual([1, 1])
})

it('mounts the routes of each carrier, and is called by all names', () => {
  const mounted: string[] = []
  const mount = (name: string) => Object.assign(new ScriptedCarrier(name), { mount: () => void mounted.push(name) })
  const clock = virtualClock()
  const routed = routedCarrier({
    carriers: [mount('twilio'), new ScriptedCarrier('simulated'), mount('sip')],
    routes: { usual: ['twilio'], countries: {} },
    limits: inProcessLimits({}, clock),
    clock,
    log: pino({ level: 'silent' }),
  })
  routed.mount?.({ publicUrl: null, route: () => undefined, socket: () => () => undefined })
  expect([routed.name, mounted]).toEqual(['twilio,simulated,sip', ['twilio', 'sip']])
})
