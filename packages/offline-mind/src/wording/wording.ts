import { remembered } from '@parley/voice-ports'
import { isForeign } from '../hearing/language.ts'
import type { Spoken } from '../memory.ts'
import type { Purpose, Speaker, Topic } from '../topic.ts'
import { startsWithVerb } from './english-grammar.ts'
import { englishTopic } from './objective.en.ts'
import { coreOf, englishPurpose } from './purpose.en.ts'
import { foreignPurpose, foreignTopic, quotedPurpose, quotedTopic } from './quoted.ts'

/** English is rephrased; in other languages the order's own words stand in a fixed frame. */
export const purposeOf = remembered((text, language: Spoken, speaker: Speaker): Purpose => {
  if (language !== 'en') return quotedPurpose(text, language, speaker)
  return isForeign(text) ? foreignPurpose(text, speaker) : englishPurpose(text, speaker)
})

export const topicOf = remembered((text, language: Spoken, speaker: Speaker): Topic => {
  if (language !== 'en') return quotedTopic(text, language, speaker)
  return isForeign(text) ? foreignTopic(text, speaker) : englishTopic(text, speaker)
})

const BOOKING =
  /^(?:book|reserve|schedule|arrange|order|cancel|change|reschedule|rearrange|rebook|move|rent|amend|make an?|set up)\b/i

/**
 * Whether the purpose must be asked about besides the objectives: "book a table" with nothing but "ask about parking".
 */
export function purposeIsAsked(purpose: string, objectives: readonly string[], speaker: Speaker): boolean {
  if (objectives.length === 0) return true
  const core = coreOf(purpose)
  const covered = objectives.some((text) => ['request', 'message'].includes(englishTopic(text, speaker).kind))
  return startsWithVerb(core) && BOOKING.test(core) && !covered
}
