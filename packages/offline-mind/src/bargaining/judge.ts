import { conditionIn, turnAfterYes } from './conditions.ts'
import { extract, sameValue, type Value } from '../hearing/extract.ts'
import type { Intent } from '../hearing/lexicon.ts'
import { plain, shorten } from '../hearing/text.ts'
import type { Understanding } from '../hearing/understand.ts'
import type { Mandate } from '../mandate/mandate.ts'
import type { Spoken } from '../memory.ts'
import { agreesAtOnce, isPutForward, listed, namesAsked, optionOf, optionsIn, type Option } from './offer.ts'
import type { Topic } from '../topic.ts'
import { echoes } from '../wording/statement.en.ts'

/** How an utterance answers the question. */
export type Verdict =
  /** isNamed: said explicitly, not by a yes alone. */
  | { readonly type: 'met'; readonly result: string | null; readonly isNamed: boolean }
  | { readonly type: 'refused' }
  | { readonly type: 'offer'; readonly options: readonly Option[]; readonly condition: string | null }
  | { readonly type: 'maybe' }
  | { readonly type: 'unknown' }
  /** Ready to answer, without an answer yet. */
  | { readonly type: 'go_ahead' }
  | { readonly type: 'none' }

const NONE: Verdict = { type: 'none' }
const met = (result: string | null = null, isNamed = false): Verdict => ({ type: 'met', result, isNamed })
const offer = (options: readonly Option[], condition: string | null = null): Verdict => ({
  type: 'offer',
  options,
  condition,
})

/** "Yes? Who is this?" agrees to nothing. */
const ABOUT_THE_CALL: readonly Intent[] = [
  'who_is_this',
  'why_calling',
  'are_you_robot',
  'where_number',
  'is_it_recorded',
  'repeat',
  'louder',
  'slower',
  'can_you_hear',
  'wants_human',
  'take_message',
  'how_are_you',
  'must_i',
  'how_long',
]

/** "How are you?" is answered in passing: "Fine, thanks. How can I help?" */
const ASKS_HOW_THEY_ARE =
  /\bhow (?:you are|are you)\b|\bcomo esta[ns]?\b|\bcomment (?:vous allez|allez-vous|ca va)\b|\bwie (?:geht|es) (?:es )?ihnen\b/
const WELL =
  /\b(?:fine|well|good|great|all right|not bad|so so|tired|better|worse|bien|regular|mal|cansad[oa]s?|fatigue[es]?|gut|schlecht|geht so|mude)\b/

/** Whether an utterance asks about the call instead of answering. */
export function isAboutCall({ intents }: Pick<Understanding, 'intents'>): boolean {
  return ABOUT_THE_CALL.some((intent) => intents.has(intent))
}

const WEAK_YES = /^(?:ok|okay|alright|all right|fine|right|i see|mm-?hm+|m-?hm+|uh-?huh|vale|d'accord|alles klar|aha)$/

export function judge(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): Verdict {
  if (topic.kind === 'help' && heard.answer === 'yes' && heard.intents.has('why_calling')) return { type: 'go_ahead' }
  if (ASKS_HOW_THEY_ARE.test(plain(topic.question)) && WELL.test(heard.plain)) return met(shorten(heard.text, 16))
  if (isAboutCall(heard) || heard.plain === '') return NONE
  switch (topic.kind) {
    case 'request':
      return judgeRequest(heard, topic, mandate, language)
    case 'information':
      return judgeInformation(heard, topic, language)
    case 'polar':
      return judgePolar(heard, topic, language)
    case 'confirmation':
      return judgeConfirmation(heard, topic, mandate, language)
    case 'message':
      return judgeMessage(heard, topic, mandate, language)
    case 'help':
      return judgeHelp(heard, topic, mandate, language)
  }
}

const ENDED = /\b(?:cancel+ed|deleted|removed|anulad[ao]|cancelad[ao]|annule\w*|storniert|abgesagt|geloscht)\b/

/** "Half past eight would be possible" cancels nothing, and "yes, for 20 dollars" has its price. */
function judgeRemoval(
  heard: Understanding,
  topic: Topic,
  mandate: Mandate,
  language: Spoken,
  options: readonly Option[],
): Verdict | null {
  const named = extract(heard.text, language).filter(
    ({ type }) => type === 'time' || type === 'date' || type === 'money',
  )
  const isDone = heard.answer !== 'no' && (agreesAtOnce(heard) || ENDED.test(heard.plain))
  if (isDone && named.every(({ type }) => type !== 'money')) return agreed(heard, topic, language, false)
  if (options.length > 0) return offer(options)
  return named.length > 0 ? offer([optionOf(topic, mandate, named, language)]) : null
}

function judgeRequest(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): Verdict {
  const options = optionsIn(heard, topic, mandate, language)
  const removal = mandate.isRemoval ? judgeRemoval(heard, topic, mandate, language, options) : null
  if (removal !== null) return removal
  const condition = conditionIn(heard, language)
  if (agreesAtOnce(heard) && condition !== null) return agreed(heard, topic, language, false)
  if (options.length > 0 && (options.some(({ values }) => values.length > 0) || heard.answer !== 'maybe'))
    return offer(options, condition)
  if (heard.intents.has('decline')) return { type: 'refused' }
  if (heard.answer === 'no') return heard.intents.has('dont_know') ? { type: 'unknown' } : { type: 'refused' }
  if (heard.intents.has('dont_know')) return { type: 'unknown' }
  if (heard.answer === 'maybe') return { type: 'maybe' }
  const isNamed = namesAsked(heard, topic, mandate, language)
  if (heard.answer !== 'yes' && !isNamed) return NONE
  // "We close at seven" names it and grants nothing: it is asked back.
  if (heard.answer !== 'yes' && !isPutForward(heard.text, language))
    return offer([optionOf(topic, mandate, topic.wants, language)])
  return agreed(heard, topic, language, isNamed)
}

/** A yes with a condition is an offer: what was asked for, and something more. */
function agreed(
  heard: Understanding,
  topic: Topic,
  language: Spoken,
  isNamed: boolean,
  result = topic.subject,
): Verdict {
  const condition = conditionIn(heard, language) ?? (heard.answer === 'yes' ? turnAfterYes(heard, language) : null)
  if (condition !== null && (!heard.question || heard.answer === 'yes'))
    return offer([{ values: [], result: topic.subject, offer: `${topic.subject}, ${condition}` }], condition)
  if (isVagueAboutPrice(heard, topic))
    return offer([{ values: [], result: topic.subject, offer: shorten(heard.text, 10) }])
  return met(result, isNamed)
}

const CHEAPER =
  /\b(?:cheaper|lower|less|reduc\w+|discount|better (?:price|rate|deal|offer)|something off|come down|mas barato|rebaja|moins cher|reduction|gunstiger|billiger|rabatt)\b/

/** "We could make it a bit cheaper" names no price. */
function isVagueAboutPrice(heard: Understanding, { wants, expecting }: Topic): boolean {
  if (expecting !== 'money' && wants.every(({ type }) => type !== 'money')) return false
  return speaksOfLess(heard)
}

export function speaksOfLess({ plain: words }: Understanding): boolean {
  return CHEAPER.test(words) && !/\d/.test(words)
}

function judgeInformation(heard: Understanding, topic: Topic, language: Spoken): Verdict {
  const values = valuesOf(heard, topic, language)
  if (fits(values, topic)) return heard.question && heard.needs.length > 0 ? NONE : met(shorten(heard.text, 16))
  if (heard.intents.has('decline')) return { type: 'refused' }
  if (heard.intents.has('dont_know')) return { type: 'unknown' }
  if (heard.question || heard.needs.length > 0) return NONE
  if (heard.content.length === 0 && heard.answer === 'yes') return { type: 'go_ahead' }
  if (heard.answer === 'no' && heard.content.length < 4) return { type: 'refused' }
  if (heard.answer === 'maybe' && heard.content.length < 4) return NONE
  if (topic.expecting === null) return heard.content.length > 0 ? met(shorten(heard.text, 16)) : NONE
  // A price or a time was asked for and none named: only an utterance on the topic answers.
  return heard.content.length >= 3 && speaksOf(heard, topic) ? met(shorten(heard.text, 16)) : NONE
}

const UNDECIDED =
  /\b(?:depends?|varies|always|never|every|daily|closed|open|free|included|nothing|charge|costs?|price|cheap|expensive|depende|siempre|nunca|gratis|incluido|cerrado|cuesta|precio|depend|toujours|jamais|gratuit|compris|ferme|prix|coute|kommt darauf an|immer|nie|kostenlos|inbegriffen|geschlossen|kostet|preis)\b/

function speaksOf(heard: Understanding, topic: Topic): boolean {
  const words = plain(`${topic.subject} ${topic.text}`).split(' ')
  return UNDECIDED.test(heard.plain) || heard.content.some((word) => word.length > 3 && words.includes(word))
}

function judgePolar(heard: Understanding, topic: Topic, language: Spoken): Verdict {
  if (heard.intents.has('decline')) return { type: 'refused' }
  if (heard.intents.has('dont_know') && heard.answer !== 'yes') return { type: 'unknown' }
  if (heard.question && heard.answer === 'none') return NONE
  // "Okay" acknowledges a question and does not answer it.
  if (WEAK_YES.test(heard.plain)) return NONE
  if (heard.answer !== 'none') return met(shorten(heard.text, 16))
  return heard.content.length >= 3 || valuesOf(heard, topic, language).length > 0 ? met(shorten(heard.text, 16)) : NONE
}

function judgeConfirmation(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): Verdict {
  if (heard.intents.has('decline') || heard.answer === 'no')
    return heard.intents.has('dont_know') ? { type: 'unknown' } : { type: 'refused' }
  if (heard.intents.has('dont_know')) return { type: 'unknown' }
  if (heard.answer === 'maybe') return { type: 'maybe' }
  const options = topic.wants.length === 0 ? [] : optionsIn({ ...heard, answer: 'none' }, topic, mandate, language)
  if (options.some(({ values }) => values.some(({ type }) => topic.wants.some((want) => want.type === type))))
    return offer(options)
  const values = valuesOf(heard, topic, language)
  const told = values.filter((value) => topic.wants.every((want) => !sameValue(want, value)))
  const result = told.length === 0 ? topic.subject : `${topic.subject}, ${listed(told, language)}`
  if (heard.answer === 'yes') return agreed(heard, topic, language, false, result)
  if (heard.question) return NONE
  if (topic.isClaim) return topic.language === 'en' && echoes(topic.text, heard.text) ? met(result) : NONE
  const isTold = topic.expecting === null || speaksOf(heard, topic)
  return values.length > 0 || (heard.content.length >= 3 && isTold) ? met(result) : NONE
}

function judgeMessage(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): Verdict {
  const options = heard.answer === 'yes' ? [] : optionsIn(heard, topic, mandate, language)
  if (options.some(({ values }) => values.length > 0)) return offer(options)
  if (heard.answer === 'no' || heard.intents.has('decline')) return { type: 'refused' }
  if (heard.question && heard.answer === 'none') return NONE
  if (heard.answer === 'maybe') return { type: 'maybe' }
  return heard.answer === 'yes' || heard.intents.has('thanks') || heard.content.length > 0 ? met(null) : NONE
}

function judgeHelp(heard: Understanding, topic: Topic, mandate: Mandate, language: Spoken): Verdict {
  const options = topic.wants.length === 0 ? [] : optionsIn(heard, topic, mandate, language)
  if (options.some(({ values }) => values.some(({ type }) => topic.wants.some((want) => want.type === type))))
    return offer(options, conditionIn(heard, language))
  if (heard.intents.has('decline') || heard.answer === 'no') return { type: 'refused' }
  if (heard.question && heard.answer === 'none') return NONE
  if (heard.content.length >= 4 || valuesOf(heard, topic, language).length > 0) return met(shorten(heard.text, 16))
  if (heard.answer === 'yes') return { type: 'go_ahead' }
  return heard.answer === 'maybe' ? { type: 'maybe' } : NONE
}

function valuesOf(heard: Understanding, topic: Topic, language: Spoken): Value[] {
  return extract(heard.text, language, topic.expecting)
}

/** A question for hours is answered by times, one for a price by money. */
function fits(values: readonly Value[], topic: Topic): boolean {
  if (values.length === 0) return false
  switch (topic.expecting) {
    case 'time':
      return values.some(({ type }) => type === 'time' || type === 'date' || type === 'count')
    case 'money':
    case 'percent':
      return values.some(({ type }) => type === 'money' || type === 'percent')
    case 'count':
      return values.some(({ type }) => type === 'count' || type === 'time')
    case null:
      return true
  }
}
