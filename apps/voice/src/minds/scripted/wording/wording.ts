import type { Tone } from '@parley/contract'
import type { Spoken } from '../memory.ts'
import type { Purpose, Topic } from '../topic.ts'
import { englishTopic } from './objective.en.ts'
import { englishPurpose } from './purpose.en.ts'
import { quotedPurpose, quotedTopic } from './quoted.ts'

interface Speaker {
  readonly tone: Tone
  readonly owner: string
}

/** English is rephrased; in the other languages the order is put into a fixed frame, in its own words. */
export function purposeOf(text: string, language: Spoken, speaker: Speaker): Purpose {
  return language === 'en' ? englishPurpose(text, speaker) : quotedPurpose(text, language, speaker)
}

export function topicOf(text: string, language: Spoken, speaker: Speaker): Topic {
  return language === 'en' ? englishTopic(text, speaker) : quotedTopic(text, language, speaker)
}
