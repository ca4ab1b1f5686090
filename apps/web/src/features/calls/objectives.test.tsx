import type { OutcomeStatus } from '@parley/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, describe, expect, it } from 'vitest'
import { speak } from '../../lib/language.ts'
import { Objectives } from './Objectives.tsx'
import type { ObjectiveState } from './status.ts'

afterEach(() => speak('en'))

const outcome = { objective: 'A table at 7 pm', quote: 'Half past eight would be possible.', turn: 3 }
const shown = (more: Partial<ObjectiveState> & { readonly status: OutcomeStatus }) =>
  renderToStaticMarkup(<Objectives objectives={[{ ...outcome, ...more }]} />).replaceAll(/<[^>]+>/g, '|')

describe('objective', () => {
  it('met within the limits shows the agreed offer and the original objective', () => {
    const text = shown({ status: 'met_within_limits', offer: 'half past eight' })
    expect(text).toContain('Met within your limits')
    expect(text).toContain('Agreed: half past eight (asked: A table at 7 pm)')
  })

  it('offered shows the offer beside the quote', async () => {
    expect(shown({ status: 'offered', offer: 'half past eight' })).toMatch(
      /Offered, not agreed.*They offer: half past eight.*Half past eight would/,
    )
    expect(shown({ status: 'offered', offer: null })).not.toContain('They offer')
    await speak('es')
    expect(shown({ status: 'offered', offer: 'half past eight' })).toContain('Ofrecen: half past eight')
  })

  it('judged by an earlier rule says so', async () => {
    expect(shown({ status: 'met', earlierRule: true })).toContain(
      'When this call was made, an accepted offer counted as met.',
    )
    expect(shown({ status: 'met' })).not.toContain('an accepted offer counted as met')
    await speak('es')
    expect(shown({ status: 'met', earlierRule: true })).toContain(
      'Cuando se hizo esta llamada, una oferta aceptada contaba',
    )
  })
})
