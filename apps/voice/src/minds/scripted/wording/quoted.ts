import type { Tone } from '@parley/contract'
import { extract } from '../hearing/extract.ts'
import { fill, shorten, withoutFinalStop } from '../hearing/text.ts'
import type { Spoken } from '../memory.ts'
import type { Purpose, Topic, TopicKind } from '../topic.ts'
import { englishTopic } from './objective.en.ts'
import { inTone } from './phrasebook.ts'
import { PHRASEBOOKS } from './phrasebooks.ts'

interface Speaker {
  readonly tone: Tone
  readonly owner: string
}

export function quotedPurpose(text: string, language: Spoken, speaker: Speaker): Purpose {
  const phrases = PHRASEBOOKS[language]
  const x = withoutFinalStop(shorten(text, 20))
  return {
    sentence: fill(inTone(phrases.purpose.quoted, speaker.tone), { x }),
    topic: { ...quotedTopic(text, language, speaker), question: inTone(phrases.ask.help, speaker.tone), kind: 'help' },
    questionOnly: false,
  }
}

export function quotedTopic(text: string, language: Spoken, speaker: Speaker): Topic {
  const phrases = PHRASEBOOKS[language]
  const x = withoutFinalStop(shorten(text, 20))
  const english = englishTopic(text, speaker)
  const kind: TopicKind = english.kind
  const question = x.endsWith('?') ? x : fill(inTone(phrases.ask.quoted, speaker.tone), { x })
  return { text, kind, question, subject: x, expecting: english.expecting, wants: extract(text, language) }
}
