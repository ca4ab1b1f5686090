import { END_REASONS, type EndReason } from '@parley/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../language.ts'
import { endingLabel, tallyOf } from './outcomes.ts'

const met = { status: 'met' } as const
const open = { status: 'open' } as const

describe('ending label', () => {
  afterEach(() => speak('en'))
  const label = (endReason: EndReason | null) => endingLabel({ endReason })

  it('is distinct for each end reason, 28 characters at most, and empty while running or after a goodbye', async () => {
    expect([label(null), label('agent_closed')]).toEqual([null, null])
    for (const language of ['en', 'es'] as const) {
      await speak(language)
      const labels = END_REASONS.filter((reason) => reason !== 'agent_closed').map(label)
      expect(new Set(labels).size).toBe(END_REASONS.length - 1)
      for (const text of labels) expect(text?.length).toBeLessThanOrEqual(28)
    }
  })
})

it('shows the open offers when the end reason needs no label', () => {
  const ended = { offers: 1, endReason: 'agent_closed' } as const
  expect([endingLabel(ended), endingLabel({ ...ended, offers: 2 }), endingLabel({ ...ended, offers: 0 })]).toEqual([
    '1 offer to decide',
    '2 offers to decide',
    null,
  ])
  expect(endingLabel({ ...ended, endReason: 'voicemail' })).toBe(endingLabel({ endReason: 'voicemail' }))
})

describe('tally of outcomes', () => {
  it('shows the met of all and the offers', () => {
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
