import { type Fact, type FactBody, PHASES } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { quietLog } from '../session/testing/fakes.ts'
import { type CarrierRecords, endInterrupted } from './interrupted.ts'

const facts = (...bodies: FactBody[]): Fact[] =>
  bodies.map((body, at) => ({ ...body, seq: at + 1, at: '2026-01-15T12:00:00.000Z', callMs: at * 1000 }))
const turn = (index: number, speaker: 'agent' | 'user', text: string): FactBody => ({
  type: 'turn',
  turn: { index, speaker, text, startMs: 0, endMs: null, heard: true },
})
const answered: readonly FactBody[] = [
  { type: 'dialing' },
  { type: 'placed', carrierCallId: 'CA1' },
  { type: 'ringing' },
  { type: 'answered' },
]
const OPT_OUT = 'Never call me again.'

type Said = Awaited<ReturnType<CarrierRecords['ask']>> | Error
/** A carrier that answers in this order, the last for ever. */
function carrier(...answers: Said[]) {
  const asked: string[] = []
  const records: CarrierRecords = {
    ask: async (id) => {
      asked.push(`ask ${id}`)
      const said = (answers.length > 1 ? answers.shift() : answers[0]) ?? null
      if (said instanceof Error) throw said
      return said
    },
    hangUp: async (id) => void asked.push(`hang up ${id}`),
  }
  return { records, asked }
}

async function end(of: readonly Fact[], records: CarrierRecords) {
  const told: FactBody[] = []
  const waits: number[] = []
  const pause = async (delayMs: number) => void waits.push(delayMs)
  await endInterrupted(of, (body) => told.push(body), { records, log: quietLog(), pause })
  return { told, waits }
}
const interrupted = (connectedSeconds: number) =>
  expect.objectContaining({ type: 'ended', reason: 'interrupted', connectedSeconds })

describe('a call that a dead process left', () => {
  it('is hung up while it is live, and ends with the seconds of the carrier', async () => {
    const { records, asked } = carrier({ state: 'live', connectedMs: 9000 }, { state: 'ended', connectedMs: 9700 })
    const { told } = await end(facts(...answered, turn(0, 'agent', 'Hello.')), records)
    expect(asked).toEqual(['ask CA1', 'hang up CA1', 'ask CA1'])
    expect(told).toEqual([interrupted(9.7)])
  })

  it('is not hung up when it is over at the carrier', async () => {
    const { records, asked } = carrier({ state: 'ended', connectedMs: 4100 })
    expect((await end(facts(...answered), records)).told).toEqual([interrupted(4.1)])
    expect(asked).toEqual(['ask CA1'])
  })

  it('is asked about again when the carrier cannot be reached', async () => {
    const { records } = carrier(new Error('away'), new Error('away'), { state: 'ended', connectedMs: 4100 })
    const { told, waits } = await end(facts(...answered), records)
    expect([told, waits.length]).toEqual([[interrupted(4.1)], 2])
  })

  it.each([
    [
      'the carrier cannot be reached for ten minutes',
      carrier(new Error('away')).records,
      facts(...answered, turn(0, 'user', 'Yes.')),
      1,
    ],
    ['the carrier does not know it', carrier(null).records, facts(...answered, turn(0, 'user', 'Yes.')), 1],
    ['the carrier has not confirmed it', carrier(null).records, facts({ type: 'dialing' }, { type: 'ringing' }), 0],
  ] as const)('ends with the seconds of its facts when %s', async (_, records, of, seconds) => {
    const { told, waits } = await end(of, records)
    expect(told).toEqual([interrupted(seconds)])
    expect(waits.reduce((sum, each) => sum + each, 0)).toBeLessThan(660_000)
  })

  it('ends with the last seconds known when it stays live at the carrier', async () => {
    const { records } = carrier({ state: 'live', connectedMs: 9000 })
    expect((await end(facts(...answered), records)).told).toEqual([interrupted(9)])
  })

  it('has its second leg hung up too, which ends with seconds of its own', async () => {
    const { records, asked } = carrier(
      { state: 'live', connectedMs: 4000 },
      { state: 'ended', connectedMs: 4200 },
      { state: 'ended', connectedMs: 9700 },
    )
    const leg = { type: 'leg', leg: 2, carrierCallId: 'CA2', connectedSeconds: null } as const
    const over = { type: 'leg', leg: 3, carrierCallId: 'CA3', connectedSeconds: 5 } as const
    const { told } = await end(facts(...answered, leg, { ...over, connectedSeconds: null }, over), records)
    expect(asked).toEqual(['ask CA2', 'hang up CA2', 'ask CA2', 'ask CA1'])
    expect(told).toEqual([{ ...leg, connectedSeconds: 4.2 }, interrupted(9.7)])
  })

  it('is left alone when its end was reported', async () => {
    const { records, asked } = carrier({ state: 'live', connectedMs: 9000 })
    const over: FactBody = { type: 'ended', reason: 'silence', message: '', connectedSeconds: 1 }
    expect((await end(facts(...answered, over), records)).told).toEqual([])
    expect(asked).toEqual([])
  })
})

describe('an opt-out in its words', () => {
  it('is reported before the end, once', async () => {
    const said = [...answered, turn(0, 'agent', 'Hello.'), turn(1, 'user', OPT_OUT)]
    expect((await end(facts(...said), carrier(null).records)).told).toEqual([
      { type: 'opted_out', quote: OPT_OUT },
      interrupted(2),
    ])
    const known = facts(...said, { type: 'opted_out', quote: OPT_OUT })
    expect((await end(known, carrier(null).records)).told).toEqual([interrupted(3)])
  })

  it.each([
    ['the agent said it', [turn(0, 'agent', OPT_OUT)]],
    ['the ear took it back', [turn(0, 'user', OPT_OUT), turn(0, 'user', 'Call me again.')]],
    [
      'a machine said it',
      [turn(0, 'user', OPT_OUT), { type: 'phase', phase: PHASES.voicemail }, turn(0, 'user', OPT_OUT)],
    ],
  ] as const)('is not reported when %s', async (_, said) => {
    expect((await end(facts(...answered, ...said), carrier(null).records)).told.map(({ type }) => type)).toEqual([
      'ended',
    ])
  })

  it('is reported without its words when the callee did not agree to be recorded', async () => {
    const said = [turn(0, 'user', OPT_OUT), { type: 'phase', phase: PHASES.notRecorded } as const]
    expect((await end(facts(...answered, ...said), carrier(null).records)).told[0]).toEqual({
      type: 'opted_out',
      quote: '',
    })
  })
})
