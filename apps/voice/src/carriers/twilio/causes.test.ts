import type { EndCause } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { type CallReport, costOf, endOf, endOfRefusal, isFinal, rankOf, verdictsOf } from './causes.ts'
import { explainTwilioCode } from './index.ts'
import { digitsTwiml, seconds, streamTwiml, transferTwiml } from './twiml.ts'

const report = (changes: Partial<CallReport>): CallReport => ({
  status: 'completed',
  durationSeconds: 7,
  sipCode: null,
  errorCode: null,
  cost: null,
  ...changes,
})
const own = { hangsUp: false, answered: true, limitMs: 60_000, elapsedMs: 6543 }

describe('the end of a call', () => {
  it.each<[string, string | null, EndCause]>([
    ['completed', null, 'remote'],
    ['busy', '486', 'busy'],
    ['no-answer', '480', 'no_answer'],
    ['canceled', '487', 'canceled'],
    ['failed', null, 'failed'],
    ['failed', '404', 'not_in_service'],
    ['failed', '410', 'not_in_service'],
    ['failed', '484', 'not_in_service'],
    ['failed', '604', 'not_in_service'],
    ['failed', '408', 'no_answer'],
    ['failed', '480', 'no_answer'],
    ['failed', '486', 'busy'],
    ['failed', '600', 'busy'],
    ['failed', '603', 'busy'],
    ['failed', '503', 'failed'],
  ])('%s with SIP %s is told as %s', (status, sipCode, cause) => {
    expect(endOf(report({ status, sipCode }), own)).toMatchObject({
      cause,
      code: sipCode,
      connectedMs: status === 'completed' ? 7000 : 0,
    })
  })

  it('completed is ours where we hung up or the limit was reached', () => {
    expect(endOf(report({}), { ...own, hangsUp: true }).cause).toBe('local')
    expect(endOf(report({ durationSeconds: 60 }), own).cause).toBe('local')
    expect(endOf(report({ durationSeconds: 0 }), { ...own, answered: false, hangsUp: true }).cause).toBe('canceled')
  })

  it("counts Twilio's seconds, and our own where none are told", () => {
    expect(endOf(report({ durationSeconds: 3 }), own).connectedMs).toBe(3000)
    expect(endOf(report({ durationSeconds: null }), own).connectedMs).toBe(6543)
  })

  it("carries Twilio's error before the SIP status", () => {
    expect(endOf(report({ status: 'failed', sipCode: '503', errorCode: '32009' }), own).code).toBe('twilio:32009')
  })
})

describe('statuses and verdicts', () => {
  it('are ranked by what comes after what', () => {
    const ranks = ['queued', 'ringing', 'in-progress', 'completed'].map(rankOf)
    expect(ranks).toEqual([0, 1, 2, 3])
    expect(['busy', 'no-answer', 'canceled', 'failed'].every(isFinal)).toBe(true)
    expect(['toString', '', 'COMPLETED'].map(rankOf)).toEqual([null, null, null])
  })

  it('tell a beep as the machine and its beep', () => {
    expect(verdictsOf('machine_end_beep')).toEqual(['machine', 'beep'])
    expect(['human', 'fax', 'unknown', 'constructor'].map(verdictsOf)).toEqual([['human'], ['fax'], ['unknown'], []])
  })
})

describe('a price', () => {
  it('is counted in micros, whatever its sign, and not guessed', () => {
    expect(costOf('-0.01400', 'USD')).toEqual({ amountMicros: 14_000, currency: 'USD' })
    expect(costOf('0.1', 'eur')).toEqual({ amountMicros: 100_000, currency: 'EUR' })
    for (const [price, unit] of [
      [null, 'USD'],
      ['', 'USD'],
      ['1e9', 'USD'],
      ['-1', null],
      ['-1', 'dollars'],
    ])
      expect(costOf(price, unit)).toBeNull()
  })
})

describe('a refusal', () => {
  it('tells a number that does not exist from what the operator must mend', () => {
    const causeOf = (code: number | null) => endOfRefusal(code, 400).cause
    expect([21_211, 21_214, 21_217].map(causeOf)).toEqual(Array(3).fill('not_in_service'))
    expect([20_003, 21_215, null].map(causeOf)).toEqual(Array(3).fill('failed'))
  })

  it('is explained in a sentence of its own', () => {
    const codes = [20_003, 21_211, 21_210, 21_212, 21_219, 21_215, 21_216, 10_001, 20_403, 20_429, 21_205]
    const explained = codes.map((code) => explainTwilioCode(`twilio:${code}`))
    expect(new Set(explained.map(({ what }) => what)).size).toBe(codes.length)
    for (const { what, whereToMend } of explained) for (const text of [what, whereToMend]) expect(text).toMatch(/\.$/)
    expect(explainTwilioCode(20_005)).toEqual(explainTwilioCode(10_001))
  })

  it('that is not known leads to the dictionary', () => {
    expect(explainTwilioCode('twilio:99999').whereToMend).toContain('/errors/99999')
    expect(explainTwilioCode('toString').what).toBe('Twilio did not place the call.')
  })
})

describe('TwiML', () => {
  it('escapes whatever it is given', () => {
    expect(streamTwiml('wss://x/"><Hangup/>&')).not.toContain('<Hangup/>')
    expect(digitsTwiml('1W#', 'wss://x/y')).toContain(
      '<Play digits="1ww#"/><Connect><Stream url="wss://x/y"/></Connect>',
    )
  })

  it('stays within the limits of Dial', () => {
    const urls = { actionUrl: 'https://x/a', answeredUrl: 'https://x/b' }
    const twiml = transferTwiml({ to: '+12125550100', callerId: '+12125550101', ringMs: 1, limitMs: -5, ...urls })
    expect(twiml).toContain('timeout="5" timeLimit="1"')
    expect([seconds(1001, 600), seconds(1e9, 600), seconds(0, 600)]).toEqual([2, 600, 1])
  })
})
