import { frameTicker, systemClock } from '@parley/voice-ports'
import { afterAll, describe, expect, it } from 'vitest'
import { REFUSAL_MESSAGES } from '../../session/call/endings.ts'
import { CallSession } from '../../session/call/session.ts'
import { anOrder, factSink, memorySink, quietLog, steadyMouth, textEar } from '../../session/testing/fakes.ts'
import { talker } from '../../session/testing/staged-call.ts'
import { type Line, type LineOptions, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})

const CALLEE = '+12125550107'

interface Refused extends LineOptions {
  readonly callee?: string
  readonly from?: string
  readonly arrange?: (line: Line) => void
}

/** A whole call over Twilio, from the order to its last fact. */
async function call({ callee = CALLEE, from, arrange, ...options }: Refused) {
  const line = await startLine(options)
  lines.push(line)
  arrange?.(line)
  const clock = systemClock()
  const report = factSink()
  const session = new CallSession(anOrder({ callee, ...(from !== undefined && { from }) }), {
    carrier: line.carrier,
    ears: [textEar],
    mouth: steadyMouth,
    mind: talker(),
    clock,
    ticker: frameTicker(clock),
    report,
    recordingOf: () => memorySink(),
    log: quietLog(),
  })
  await session.ended
  return { line, facts: report.facts, end: report.facts.find((fact) => fact.type === 'ended') }
}

describe.concurrent('a call that Twilio refuses', () => {
  it.each<[string, keyof typeof REFUSAL_MESSAGES, string, Refused]>([
    ['a wrong key', 'keys', 'twilio:20003', { carrier: { authToken: 'wrong' } }],
    ['no money in the account', 'funds', 'twilio:20005', { arrange: ({ far }) => void (far.account.balance = 0) }],
    [
      'a suspended account',
      'account',
      'twilio:20403',
      { arrange: ({ far }) => void (far.account.status = 'suspended') },
    ],
    [
      'a blocked region',
      'region',
      'twilio:21215',
      { arrange: ({ far }) => void far.account.refusedPrefixes.set('+1212', 21215) },
    ],
    ['a number in a wrong format', 'callee_number', 'twilio:21217', { callee: '+15005550001' }],
    ['a caller number that is not verified there', 'caller_number', 'twilio:21210', { from: '+12125550199' }],
  ])('for %s ends in its own sentence, with nobody dialed', async (_, refusal, code, refused) => {
    const { line, facts, end } = await call(refused)
    expect(end).toMatchObject({
      reason: refusal === 'callee_number' ? 'not_in_service' : 'carrier_failure',
      message: REFUSAL_MESSAGES[refusal],
      connectedSeconds: 0,
      carrier: { name: 'twilio', code, cost: null, costFollows: false },
    })
    expect(line.far.calls).toEqual([])
    expect(facts.map(({ type }) => type)).toEqual(['dialing', 'ended'])
    expect(line.logged.at(-1)).toMatchObject({ fields: { what: expect.any(String), whereToMend: expect.any(String) } })
  })

  it('has a sentence of its own for each thing that is refused', () => {
    const sentences = Object.values(REFUSAL_MESSAGES)
    expect(new Set(sentences).size).toBe(sentences.length)
    for (const sentence of sentences) expect(sentence).toMatch(/\. Nobody was dialed, and nothing was charged\.$/)
  })
})

describe.concurrent('a call from a verified number', () => {
  it('goes out with that number, and its price is said to follow', async ({ expect: expectHere }) => {
    const own = '+12125550144'
    const { line, end } = await call({
      from: own,
      arrange: ({ far }) => void far.account.verify(own),
      far: { answering: () => ({ type: 'answers', afterMs: 50, party: () => ({ ...quick }) }) },
    })
    expect(line.far.calls.map(({ from }) => from)).toEqual([own])
    expect(end).toMatchObject({ carrier: { name: 'twilio', code: '200', cost: null, costFollows: true } })
    const sid = line.far.calls[0]?.sid ?? ''
    await expectHere
      .poll(() => line.carrier.ask(sid, new AbortController().signal))
      .toMatchObject({ state: 'ended', cost: { amountMicros: 14_000, currency: 'USD' } })
  })
})

/** Hangs up with its first tick. */
const quick = { press: () => undefined, tick: () => ({ frame: null, digits: '', ends: 'remote' as const }) }
