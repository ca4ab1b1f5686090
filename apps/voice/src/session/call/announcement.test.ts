import type { Mouth } from '@parley/voice-ports'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { factSink, steadyMouth, virtualTime } from '../testing/fakes.ts'
import { FarEnd } from '../testing/far-end.ts'
import { Announcement } from './announcement.ts'

interface Changes {
  readonly language?: string
  readonly mouth?: Mouth
}

function stage({ language = 'en', mouth = steadyMouth }: Changes = {}) {
  const { clock, ticker } = virtualTime()
  const far = new FarEnd(clock)
  const report = { ...factSink(), completed: 0, complete: () => void report.completed++ }
  const logged: string[] = []
  const order = {
    callId: 'verification-1',
    userId: 'user-1',
    callee: '+12125550100',
    code: '480915',
    language,
    answerTimeoutSeconds: 30,
    token: 'token',
  }
  const log = pino({ level: 'debug' }, { write: (line) => void logged.push(line) })
  const session = new Announcement(order, { carrier: far, mouth, clock, ticker, report, log })
  return {
    clock,
    far,
    report,
    session,
    logged,
    words: () => far.words.map(({ text }) => text).join(' '),
    types: () => report.facts.map(({ type }) => type),
    ended: () => report.facts.find((fact) => fact.type === 'ended'),
    async answer() {
      await clock.advance(500)
      far.ring()
      await clock.advance(2000)
      far.answer()
    },
  }
}

describe('a call that tells a code', () => {
  it('says it digit by digit, twice, hangs up by itself and reports every step', async () => {
    const call = stage()
    await call.answer()
    await call.clock.advance(40_000)
    expect(call.words()).toMatch(
      /^Hello\. .*Your code is: 4, 8, 0, 9, 1, 5\. Once more: 4, 8, 0, 9, 1, 5\. .*press 9.*Goodbye\.$/,
    )
    expect(call.far.hangUps).toBe(1)
    expect(call.types()).toEqual(['dialing', 'placed', 'ringing', 'answered', 'turn', 'ended'])
    expect(call.ended()).toMatchObject({ reason: 'agent_closed', carrier: { name: 'far end' } })
    expect(await call.session.ended).toBe('agent_closed')
    await call.session.reported
    expect(call.report.completed).toBe(1)
  })

  it('dials without machine detection and with a limit of its own', async () => {
    const { far, clock } = stage()
    await clock.advance(0)
    expect(far.dialed).toMatchObject({ from: null, detectMachine: false, limitMs: 60_000, answerTimeoutMs: 30_000 })
  })

  it.each([
    ['es', 'Su código es: 4, 8, 0'],
    ['fr', 'Votre code est : 4, 8, 0'],
    ['de', 'Ihr Code lautet: 4, 8, 0'],
    ['it', 'Il suo codice è: 4, 8, 0'],
    ['pt', 'O seu código é: 4, 8, 0'],
    ['zh', '您的验证码是：4, 8, 0'],
    ['ja', 'コードは、4, 8, 0'],
    ['ko', 'Your code is: 4, 8, 0'],
  ])('speaks %s where it has the words', async (language, words) => {
    const call = stage({ language })
    await call.answer()
    await call.clock.advance(40_000)
    // Chinese and Japanese are cut into words that have no spaces between them.
    const unspaced = (text: string) => text.replaceAll(/\s/g, '')
    expect(unspaced(call.words())).toContain(unspaced(words))
  })

  it('has no words in its log, and none in its facts where the network carries no text', async () => {
    const call = stage()
    call.far.capabilities = { ...call.far.capabilities, text: false }
    await call.answer()
    await call.clock.advance(40_000)
    expect(call.types()).toEqual(['dialing', 'placed', 'ringing', 'answered', 'ended'])
    expect(JSON.stringify(call.report.facts)).not.toMatch(/480915|4, 8, 0/)
    expect(call.logged.join('')).not.toMatch(/480915|4, 8, 0|\+1212/)
  })

  it('ends with an opt-out when 9 is pressed', async () => {
    const call = stage()
    await call.answer()
    await call.clock.advance(5000)
    call.far.press('5')
    call.far.press('9')
    await call.clock.advance(1000)
    expect(call.types()).toContain('opted_out')
    expect(call.ended()).toMatchObject({ reason: 'opted_out' })
  })

  it.each([
    ['busy', 'busy'],
    ['not_in_service', 'not_in_service'],
    ['failed', 'carrier_failure'],
  ] as const)('that ends as %s says so', async (cause, reason) => {
    const call = stage()
    await call.clock.advance(500)
    call.far.end(cause)
    await call.clock.advance(100)
    expect(call.ended()).toMatchObject({ reason, connectedSeconds: 0 })
  })

  it('that nobody answers is hung up after its time', async () => {
    const call = stage()
    await call.clock.advance(36_000)
    expect(call.ended()).toMatchObject({ reason: 'no_answer' })
  })

  it('ends with what was heard when the callee hangs up early', async () => {
    const call = stage()
    await call.answer()
    await call.clock.advance(3000)
    call.far.end('remote')
    await call.clock.advance(60_000)
    expect(call.ended()).toMatchObject({ reason: 'callee_hung_up' })
    expect(call.words()).not.toContain('Goodbye')
  })

  it('is interrupted when the service stops, and when the voice fails', async () => {
    const stopped = stage()
    await stopped.answer()
    await stopped.clock.advance(2000)
    stopped.session.stop('interrupted')
    await stopped.clock.advance(1000)
    expect(stopped.ended()).toMatchObject({ reason: 'interrupted' })

    const mute = stage({
      mouth: {
        name: 'mute',
        wordTimes: true,
        open: () => {
          throw new Error('There is no voice.')
        },
      },
    })
    await mute.answer()
    await mute.clock.advance(5000)
    expect(mute.ended()).toMatchObject({ reason: 'interrupted' })
  })
})
