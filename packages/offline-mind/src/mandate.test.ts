import { isMet } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { ORDERS, play } from './samples/orders-of-mandate-played.ts'

type Played = Awaited<ReturnType<typeof play>>

const AGREES =
  /that works too|acceptable as well|recap|I accept|también me sirve|en resumen|cela convient aussi|en résumé|das passt auch|zusammengefasst/i
const RECAPS = /recap|resumen|résumé|zusammengefasst/
const COMES_BACK = /come back to you|le vuelvo a llamar|volveremos|rappelle|melde mich/
const TO_DECIDE = /^They offer .+: accept it or ask for something else\.$/

/** Checks the invariants of any order; returns the violated ones. */
function faultsOf({ outcomes, summary, said, told, turns }: Played): string[] {
  const offers = outcomes.flatMap(({ status, offer }) => (status === 'offered' ? [offer ?? ''] : []))
  const checks: Readonly<Record<string, boolean>> = {
    'every outcome says what was offered, or that nothing was': outcomes.every(
      ({ status, offer }) =>
        offer !== undefined && (offer !== null) === (status === 'offered' || status === 'met_within_limits'),
    ),
    'the callee is quoted': outcomes.every(
      ({ quote, turn }) =>
        quote === null || (turns[turn ?? -1]?.speaker === 'user' && turns[turn ?? -1]?.text === quote),
    ),
    'what was told during the call stays so': [...told].every(
      ([index, outcome]) => JSON.stringify(outcomes[index]) === JSON.stringify(outcome),
    ),
    'where nothing was got the last words agree to nothing':
      outcomes.length === 0 || outcomes.some(isMet) || !AGREES.test(said.at(-1) ?? ''),
    'what was only offered is not recapped': said
      .filter((text) => RECAPS.test(text))
      .every((text) => offers.every((offer) => !text.includes(offer))),
    'an offer is left to the person':
      offers.length === 0 ||
      (summary.type === 'pending' && summary.actionRequired && TO_DECIDE.test(summary.actionText ?? '')),
    'the callee hears that somebody comes back to them':
      told.size < outcomes.length || offers.length === 0 || COMES_BACK.test(said.join(' ')),
    'success is what was got': summary.type !== 'success' || outcomes.every(isMet),
  }
  return Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]))
}

describe.each(ORDERS)('$title', (row) => {
  test(`ends "${row.objectives[0] ?? row.purpose}" as ${row.outcomes.join(', ') || row.type}`, async () => {
    const played = await play(row, row.utterances)
    const { outcomes, summary, said } = played
    const statuses = outcomes.map(({ status }) => status)
    expect({ statuses, said }).toEqual({ statuses: row.outcomes, said })
    expect(outcomes[0]?.offer ?? '').toMatch(row.offer ?? /^/)
    expect(summary.type).toBe(row.type ?? summary.type)
    expect(said.filter((text) => row.never?.test(text))).toEqual([])
    expect(faultsOf(played)).toEqual([])
  })
})

/** A repeatable random generator. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const clock = (minutes: number): string =>
  `${Math.floor(minutes / 60) - 12}:${String(minutes % 60).padStart(2, '0')} pm`

describe('random offers against random limits', { timeout: 120_000 }, () => {
  test('of times are agreed to only inside the limit', async () => {
    const random = randomFrom(1)
    for (let round = 0; round < 40; round += 1) {
      const [asked, latest, offered] = [19 * 60, 19 * 60 + 15 * (1 + random(12)), 17 * 60 + 15 * random(24)]
      const utterances = [
        'No, sorry.',
        `${clock(offered)} would be possible.`,
        'Yes, that is right.',
        'Yes, that is all.',
      ]
      const { outcomes } = await play(
        { purpose: 'Book a table', objectives: [`A table at 7 pm, or up to ${clock(latest)}`] },
        utterances,
      )
      const isInside = offered >= asked && offered <= latest
      const expected = offered === asked ? 'met' : isInside ? 'met_within_limits' : 'offered'
      expect([clock(latest), clock(offered), outcomes[0]?.status]).toEqual([clock(latest), clock(offered), expected])
    }
  })

  test('of prices are agreed to only inside the limit', async () => {
    const random = randomFrom(2)
    for (let round = 0; round < 40; round += 1) {
      const [most, offered, currency] = [100 + random(40), 90 + random(60), random(4) === 0 ? 'euros' : 'dollars']
      const utterances = [`That would be ${offered} ${currency}.`, 'No.', 'Yes.']
      const { outcomes } = await play(
        { purpose: 'Book a room for one night', objectives: [`A price of at most ${most} dollars`] },
        utterances,
      )
      const expected = offered <= most && currency === 'dollars' ? 'met_within_limits' : 'offered'
      expect([most, offered, currency, outcomes[0]?.status]).toEqual([most, offered, currency, expected])
    }
  })

  test('of people counts are agreed to only inside the limit', async () => {
    const random = randomFrom(3)
    for (let round = 0; round < 30; round += 1) {
      const [asked, least, offered] = [10, 4 + random(6), 2 + random(12)]
      const utterances = [`We have a table for ${offered} people.`, 'No.', 'No.']
      const { outcomes } = await play(
        { purpose: 'Book a table', objectives: [`A table for ${asked} people, at least ${least}`] },
        utterances,
      )
      const isOther = offered !== asked && (offered < least || offered > asked)
      expect([least, offered, outcomes.some(isMet) && isOther]).toEqual([least, offered, false])
    }
  })
})
