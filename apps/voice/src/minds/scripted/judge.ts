import { extract, sameValue, sayValue, type Value } from './hearing/extract.ts'
import type { Intent } from './hearing/lexicon.ts'
import { plain, shorten } from './hearing/text.ts'
import type { Understanding } from './hearing/understand.ts'
import type { Spoken } from './memory.ts'
import { listed, proposalIn, type Proposal } from './offer.ts'
import type { Topic } from './topic.ts'
import { echoes } from './wording/statement.en.ts'

/** How a line answers what was asked. */
export type Verdict =
  | { readonly type: 'met'; readonly result: string | null; readonly conditional: boolean }
  | { readonly type: 'refused' }
  | { readonly type: 'offer'; readonly proposal: Proposal }
  | { readonly type: 'maybe' }
  | { readonly type: 'unknown' }
  /** Ready to answer, and nothing said yet. */
  | { readonly type: 'go_ahead' }
  | { readonly type: 'none' }

const NONE: Verdict = { type: 'none' }
const met = (result: string | null = null, conditional = false): Verdict => ({ type: 'met', result, conditional })

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

/** Does a line ask about the call, rather than answer? */
export function isAboutCall({ intents }: Pick<Understanding, 'intents'>): boolean {
  return ABOUT_THE_CALL.some((intent) => intents.has(intent))
}

const WEAK_YES = /^(?:ok|okay|alright|all right|fine|right|i see|mm-?hm+|m-?hm+|uh-?huh|vale|d'accord|alles klar|aha)$/

export function judge(heard: Understanding, topic: Topic, language: Spoken): Verdict {
  if (topic.kind === 'help' && heard.answer === 'yes' && heard.intents.has('why_calling')) return { type: 'go_ahead' }
  if (ASKS_HOW_THEY_ARE.test(plain(topic.question)) && WELL.test(heard.plain)) return met(shorten(heard.text, 16))
  if (isAboutCall(heard) || heard.plain === '') return NONE
  switch (topic.kind) {
    case 'request':
      return judgeRequest(heard, topic, language)
    case 'information':
      return judgeInformation(heard, topic, language)
    case 'polar':
      return judgePolar(heard, topic, language)
    case 'confirmation':
      return judgeConfirmation(heard, topic, language)
    case 'message':
      return judgeMessage(heard, topic, language)
    case 'help':
      return judgeHelp(heard, topic, language)
  }
}

function judgeRequest(heard: Understanding, topic: Topic, language: Spoken): Verdict {
  const price = priceWithin(heard, topic, language)
  if (price !== null) return met(`${topic.subject}, namely ${sayValue(price, language)}`)
  const proposal = proposalIn(heard, topic, language)
  if (proposal !== null && (proposal.values.length > 0 || heard.answer !== 'maybe')) return { type: 'offer', proposal }
  if (heard.intents.has('decline')) return { type: 'refused' }
  if (heard.answer === 'no') return heard.intents.has('dont_know') ? { type: 'unknown' } : { type: 'refused' }
  if (heard.intents.has('dont_know')) return { type: 'unknown' }
  if (heard.answer === 'maybe') return { type: 'maybe' }
  if (heard.answer === 'yes') return met(topic.subject, heard.conditional && heard.content.length > 3)
  const named = extract(heard.text, language, topic.expecting)
  const repeated = named.some((value) => topic.wants.some((want) => sameValue(want, value)))
  return repeated && !heard.question ? met(topic.subject) : NONE
}

const AT_MOST = /\b(?:below|under|less than|lower than|cheaper than|at most|no more than|not more than|up to|keep it under)\b/i

/** A price that was asked to stay under another does so when it is named: "eighty" beside "below 120 dollars". */
function priceWithin(heard: Understanding, topic: Topic, language: Spoken): Value | null {
  const most = topic.wants.find((want) => want.type === 'money')
  if (most?.type !== 'money' || topic.language !== 'en' || !AT_MOST.test(topic.text) || heard.question || heard.answer === 'no') return null
  const named = extract(heard.text, language, 'money').findLast((value) => value.type === 'money')
  if (named?.type !== 'money' || named.amount > most.amount || sameValue(named, most)) return null
  return named.currency === '' || most.currency === '' || named.currency === most.currency
    ? { ...named, currency: most.currency || named.currency }
    : null
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
  // A price or a time was asked for and none was named: only what speaks of it answers, not whatever is said at length.
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

function judgeConfirmation(heard: Understanding, topic: Topic, language: Spoken): Verdict {
  if (heard.intents.has('decline') || heard.answer === 'no')
    return heard.intents.has('dont_know') ? { type: 'unknown' } : { type: 'refused' }
  if (heard.intents.has('dont_know')) return { type: 'unknown' }
  if (heard.answer === 'maybe') return { type: 'maybe' }
  const values = valuesOf(heard, topic, language)
  const told = values.filter((value) => topic.wants.every((want) => !sameValue(want, value)))
  const result = told.length === 0 ? topic.subject : `${topic.subject}, ${listed(told, language)}`
  if (heard.answer === 'yes') return met(result)
  if (heard.question) return NONE
  if (topic.isClaim) return topic.language === 'en' && echoes(topic.text, heard.text) ? met(result) : NONE
  return values.length > 0 || heard.content.length >= 3 ? met(result) : NONE
}

function judgeMessage(heard: Understanding, topic: Topic, language: Spoken): Verdict {
  const proposal = heard.answer === 'yes' ? null : proposalIn(heard, topic, language)
  if (proposal !== null && proposal.values.length > 0) return { type: 'offer', proposal }
  if (heard.answer === 'no' || heard.intents.has('decline')) return { type: 'refused' }
  if (heard.question && heard.answer === 'none') return NONE
  if (heard.answer === 'maybe') return { type: 'maybe' }
  return heard.answer === 'yes' || heard.intents.has('thanks') || heard.content.length > 0 ? met(null) : NONE
}

function judgeHelp(heard: Understanding, topic: Topic, language: Spoken): Verdict {
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
