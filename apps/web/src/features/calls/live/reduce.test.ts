import type { CallDetails, Turn } from '@parley/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aCall, aTurn } from '../testing.ts'
import { afterMessage, afterReading, runningAfter, withoutWords } from './reduce.ts'

const receive = (call: CallDetails, turn: Turn) => afterMessage(call, { type: 'transcript', callId: call.id, turn })

describe('live call', () => {
  it('grows a turn in place by its index', () => {
    let call = aCall({ status: 'in_progress' })
    for (const text of ['Good', 'Good evening,', 'Good evening, this is an AI'])
      call = receive(call, aTurn(0, text, null))
    expect(call.turns.map(({ text }) => text)).toEqual(['Good evening, this is an AI'])
  })

  it('cuts an interrupted turn to the part that was heard', () => {
    const speaking = receive(aCall({ status: 'in_progress' }), aTurn(0, 'Could you tell me the price', null))
    const cut = receive(speaking, { ...aTurn(0, 'Could you tell', 1400), heard: false })
    expect(cut.turns).toEqual([{ ...aTurn(0, 'Could you tell', 1400), heard: false }])
  })

  it('sorts turns that arrive out of order', () => {
    const call = receive(
      receive(aCall({ status: 'in_progress' }), aTurn(1, 'Of course.', 3000)),
      aTurn(0, 'Hello?', 900),
    )
    expect(call.turns.map(({ index }) => index)).toEqual([0, 1])
  })

  it('adds a question of the callee once', () => {
    const event = {
      status: 'in_progress',
      phase: 'greeting',
      at: '2026-11-21T09:00:00.000Z',
      question: 'When?',
    } as const
    const asked = { type: 'call_question', callId: 'call-1', event } as const
    const call = afterMessage(afterMessage(aCall({ status: 'in_progress' }), asked), asked)
    expect(call.events).toEqual([event])
    expect(afterMessage(call, { ...asked, callId: 'call-2', event: { ...event, question: 'Who?' } })).toBe(call)
  })

  it('takes status, phase and times, and ignores an earlier status', () => {
    const ringing = aCall({ status: 'ringing', phase: 'ringing' })
    const {
      turns: _,
      events: __,
      outcomes: ___,
      ...connected
    } = aCall({ status: 'connected', phase: 'greeting', connectedAt: '2026-11-21T09:00:00.000Z' })
    const answered = afterMessage(ringing, { type: 'call_status', call: connected })
    expect(answered).toMatchObject({ status: 'connected', phase: 'greeting', connectedAt: '2026-11-21T09:00:00.000Z' })
    const late = afterMessage(answered, {
      type: 'call_status',
      call: { ...connected, status: 'dialing', phase: 'dialing' },
    })
    expect(late).toBe(answered)
  })

  it('keeps its turns when the status changes', () => {
    const talking = receive(aCall({ status: 'in_progress' }), aTurn(0, 'Hello?', 900))
    const { turns: _, events: __, outcomes: ___, ...ended } = aCall({ status: 'completed', phase: 'ended: answered' })
    expect(afterMessage(talking, { type: 'call_status', call: ended })).toMatchObject({
      status: 'completed',
      turns: talking.turns,
    })
  })

  it('ignores messages of another call', () => {
    const call = aCall({ status: 'in_progress' })
    expect(afterMessage(call, { type: 'transcript', callId: 'another', turn: aTurn(0, 'Hello?', 900) })).toBe(call)
  })
})

describe('a fetched running call', () => {
  it('adds the turns missed while the socket was down', () => {
    const known = receive(aCall({ status: 'in_progress' }), aTurn(0, 'Good', null))
    const read = aCall({ status: 'in_progress', turns: [aTurn(0, 'Good evening.', 900), aTurn(1, 'Hello.', 2000)] })
    expect(afterReading(known, read).turns).toEqual(read.turns)
  })

  it('does not revert what messages brought since', () => {
    const known = receive(
      receive(aCall({ status: 'in_progress' }), aTurn(0, 'Good evening.', 900)),
      aTurn(1, 'Hello, how', null),
    )
    const read = aCall({ status: 'connected', turns: [aTurn(0, 'Good', null)] })
    expect(afterReading(known, read)).toMatchObject({ status: 'in_progress', turns: known.turns })
  })

  it('is replaced by the stored call after its end', () => {
    const known = receive(aCall({ status: 'in_progress' }), aTurn(0, 'Good evening, this is an', null))
    const read = aCall({ status: 'completed', turns: [aTurn(0, 'Good evening,', 700)] })
    expect(afterReading(known, read)).toBe(read)
    expect(afterReading(undefined, known)).toBe(known)
  })

  it('loses no turn, whichever messages are missed and whenever the fetch happens', () => {
    const lines = ['Good evening this is an AI', 'Hello', 'Could we have a table', 'For how many']
    // Every word is a message; the last one of a turn ends it.
    const said = lines.flatMap((line, index) => {
      const spoken = line.split(' ')
      return spoken.map((_, at) =>
        aTurn(index, spoken.slice(0, at + 1).join(' '), at + 1 === spoken.length ? 1000 : null),
      )
    })
    const start = aCall({ status: 'in_progress' })
    const after = (count: number) => said.slice(0, count).reduce(receive, start)
    const moments = fc.array(fc.nat(said.length), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(moments, (drawn) => {
        // The socket breaks at the first moment, the server reads at the second, its response arrives at the third.
        const [lost = 0, readAt = 0, arrived = 0] = drawn.toSorted((a, b) => a - b)
        const back = said.slice(readAt, arrived).reduce(receive, after(lost))
        const whole = said.slice(arrived).reduce(receive, afterReading(back, after(readAt)))
        expect(whole.turns).toEqual(after(said.length).turns)
      }),
    )
  })
})

describe('list of running calls', () => {
  const running = withoutWords(aCall({ id: 'a', status: 'ringing' }))

  it('adds a call that starts and removes a call that ends', () => {
    const other = withoutWords(aCall({ id: 'b', status: 'initiated' }))
    expect(runningAfter([running], other)).toEqual([other, running])
    expect(runningAfter([running], { ...running, status: 'failed' })).toEqual([])
  })

  it('ignores an earlier status', () => {
    const answered = { ...running, status: 'connected' as const }
    expect(runningAfter([running], answered)).toEqual([answered])
    expect(runningAfter([answered], running)).toEqual([answered])
  })
})
