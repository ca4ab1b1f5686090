import { END_REASONS, type EndReason } from '@parley/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../language.ts'
import { endingLabel, tallyOf } from './outcomes.ts'

const met = { status: 'met' } as const
const open = { status: 'open' } as const

describe('how a call ended', () => {
  afterEach(() => speak('en'))
  const label = (endReason: EndReason | null) => endingLabel({ endReason })

  it('is told apart in a few words, and not at all while it runs or where both said goodbye', async () => {
    expect([label(null), label('agent_closed')]).toEqual([null, null])
    for (const language of ['en', 'es'] as const) {
      await speak(language)
      const labels = END_REASONS.filter((reason) => reason !== 'agent_closed').map(label)
      expect(new Set(labels).size).toBe(END_REASONS.length - 1)
      for (const text of labels) expect(text?.length).toBeLessThanOrEqual(28)
    }
  })
})

it('what is left to decide is told where nothing else is to be told of the end', () => {
  const ended = { offers: 1, endReason: 'agent_closed' } as const
  expect([endingLabel(ended), endingLabel({ ...ended, offers: 2 }), endingLabel({ ...ended, offers: 0 })]).toEqual([
    '1 offer to decide',
    '2 offers to decide',
    null,
  ])
  expect(endingLabel({ ...ended, endReason: 'voicemail' })).toBe(endingLabel({ endReason: 'voicemail' }))
})

describe('the tally of outcomes', () => {
  it('names what is met of how many, and the offers', () => {
    expect(tallyOf([])).toBeNull()
    expect(tallyOf([met, open])).toBe('1 of 2 met')
    expect(
      tallyOf([
        { ...met, status: 'met_within_limits' },
        { ...open, status: 'offered' },
      ]),
    ).toBe('1 of 2 met, 1 offer to decide')
  })
})
