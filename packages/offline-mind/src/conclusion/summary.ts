import { FAILED_END_REASONS, type CallSummary, type EndReason } from '@parley/contract'
import { extract, sayValue, type Value } from '../hearing/extract.ts'
import { capitalize, shorten, withoutFinalStop } from '../hearing/text.ts'
import { newTopicState, type TopicState } from '../memory.ts'
import { withoutNamedNumbers } from '../bargaining/named-numbers.ts'
import { isAgreed } from '../bargaining/progress.ts'
import type { Talk } from '../conversation/talk.ts'
import { asksWhether, type Topic } from '../topic.ts'
import { startsWithVerb, lowerFirst } from '../wording/english-grammar.ts'
import { nounOf } from '../wording/objective.en.ts'
import { isStatement } from '../wording/statement.en.ts'

interface Settled {
  readonly topic: Topic
  readonly state: TopicState
}

const INSIGHTS_MAX = 8
const FACTS_MAX = 4
const TITLE_WORDS_MAX = 14

const UNREACHED: Readonly<Partial<Record<EndReason, readonly [title: string, sentence: string, next: string]>>> = {
  busy: ['Line busy', 'The line was busy, so nobody was reached.', 'Call again in a few minutes.'],
  no_answer: ['No answer', 'Nobody answered the call.', 'Call again at another time of day.'],
  canceled: [
    'Call stopped',
    'The call was stopped before anybody answered.',
    'Place the call again when you are ready.',
  ],
  not_in_service: ['Number not in service', 'The number is not in service.', 'Check the number and call again.'],
  carrier_failure: [
    'Call could not be connected',
    'The telephone network could not connect the call.',
    'Try again later.',
  ],
  fax: ['Fax machine', 'A fax machine answered, so nobody was reached.', 'Look for another number.'],
  not_allowed: ['Call not allowed', 'The call was not allowed by the calling rules.', 'See why in the call details.'],
  interrupted: ['Call interrupted', 'The call was interrupted on our side.', 'Place the call again.'],
}

/** The summary for the user: plain words, and nothing that was not said. */
export function summarize(talk: Talk, endReason: EndReason): CallSummary {
  const unreached = UNREACHED[endReason]
  const spoke = talk.turns.some(({ speaker }) => speaker === 'user')
  if (unreached !== undefined && !spoke) return nobodyReached(talk, unreached)
  // Limits for the agent are no outcomes.
  const settled = talk.topics
    .map((topic, index): Settled => ({ topic, state: talk.memory.topics[index] ?? newTopicState() }))
    .filter(({ topic }) => topic.question !== '')
  const next = nextSteps(talk, settled, endReason)
  const type = typeOf(talk, settled, endReason, next)
  const actionRequired = type === 'pending'
  const summary: CallSummary = {
    type,
    title: titleOf(talk, settled, endReason),
    description: descriptionOf(talk, settled, endReason, spoke),
    insights: insightsOf(talk, settled),
    nextSteps: next,
    actionRequired,
    actionText: actionRequired ? (next[0] ?? null) : null,
  }
  return withoutNamedNumbers(summary, talk)
}

function nobodyReached(talk: Talk, [title, sentence, next]: readonly [string, string, string]): CallSummary {
  return {
    type: 'failed',
    title: shorten(`${title}: ${lowerFirst(withoutFinalStop(talk.order.purpose))}`, TITLE_WORDS_MAX),
    description: `${sentence} The purpose of the call remains: ${withoutFinalStop(shorten(talk.order.purpose, 40))}.`,
    insights: [],
    nextSteps: [next],
    actionRequired: false,
    actionText: null,
  }
}

function typeOf(
  talk: Talk,
  settled: readonly Settled[],
  endReason: EndReason,
  next: readonly string[],
): CallSummary['type'] {
  const met = settled.filter(({ state }) => isAgreed(state)).length
  if (met === settled.length) return 'success'
  if (settled.some(({ state }) => state.status === 'offered')) return 'pending'
  if (endReason === 'voicemail' || isUnderWay(talk) || settled.some(isForThePerson)) return 'pending'
  if (FAILED_END_REASONS.some((reason) => reason === endReason)) return met > 0 ? 'pending' : 'failed'
  const open = settled.filter(({ state }) => state.status === 'waiting' || state.status === 'open')
  if (met > 0) return open.length > 0 && next.length > 0 ? 'pending' : 'other'
  return open.some(({ state }) => state.status === 'open' && state.quote !== null) && next.length > 0
    ? 'pending'
    : 'failed'
}

function isUnderWay({ memory }: Talk): boolean {
  return memory.callback !== null || memory.messageLeft
}

/** Whether something is left that only the user can settle. */
function isForThePerson({ topic, state }: Settled): boolean {
  return !isAgreed(state) && (state.counterOffer !== null || (topic.kind === 'message' && state.status === 'refused'))
}

function titleOf(talk: Talk, settled: readonly Settled[], endReason: EndReason): string {
  const title = specialTitle(talk, endReason) ?? outcomeTitle(talk, settled)
  return capitalize(shorten(title, TITLE_WORDS_MAX))
}

function specialTitle(talk: Talk, endReason: EndReason): string | null {
  const about = purposeNoun(talk)
  const answered = talk.memory.topics.some(isAgreed)
  if (endReason === 'opted_out') return 'Asked not to be called again'
  if (talk.memory.wrongNumber) return 'Wrong number'
  if (answered) return null
  if (endReason === 'voicemail') return `Voicemail left about ${about}`
  if (talk.memory.callback !== null) return `Call back about ${about}`
  if (endReason === 'silence') return 'Nobody spoke'
  if (endReason === 'screened') return 'Turned away by call screening'
  if (endReason === 'refused_to_talk') return `Refused to talk about ${about}`
  return null
}

/** "Table for four agreed for Friday 8 pm". */
function outcomeTitle(talk: Talk, settled: readonly Settled[]): string {
  const offered = settled.find(({ state }) => state.status === 'offered')
  if (offered?.topic.kind === 'message') return `${brief(offered.topic.subject)} delivered, other time wanted`
  if (offered !== undefined) return refusedTitle(offered)
  const agreed = settled.find(({ topic, state }) => isAgreed(state) && topic.kind === 'request' && !asksWhether(topic))
  if (agreed !== undefined) return agreedTitle(talk, agreed)
  const notAgreed = settled.find(({ topic, state }) => state.status === 'refused' && topic.kind === 'request')
  if (notAgreed !== undefined) return refusedTitle(notAgreed)
  const met = settled.find(({ state }) => isAgreed(state))
  if (met !== undefined) {
    const answered = settled.filter(({ state }) => isAgreed(state)).length
    return answered > 1 ? `${bare(purposeNoun(talk))}: ${answered} of ${settled.length} answered` : metTitle(talk, met)
  }
  const refused = settled.find(({ state }) => state.status === 'refused')
  if (refused !== undefined) return refusedTitle(refused)
  return `${bare(purposeNoun(talk))} left open`
}

function refusedTitle({ topic, state }: Settled): string {
  const stated = statedIn(topic)
  if (stated !== null && state.counterOffer === null) return `Not agreed: ${stated}`
  if (asksWhether(topic)) return `Asked ${topic.subject}: no`
  if (state.counterOffer === null) return `${brief(topic.subject)} refused`
  return state.counterOffer.startsWith(`${topic.subject}, `)
    ? `${brief(topic.subject)} offered on a condition`
    : `${bare(state.counterOffer)} offered, not ${bare(stated ?? topic.subject)}`
}

function metTitle(talk: Talk, { topic, state }: Settled): string {
  if (topic.kind === 'message') return `${brief(topic.subject)} delivered`
  const stated = statedIn(topic)
  if (stated !== null) return `Confirmed: ${stated}`
  if (topic.kind === 'confirmation') return `${brief(topic.subject)} confirmed`
  const about = label(topic)
  const values = extract(state.quote ?? '', talk.memory.language, topic.expecting).slice(0, 2)
  const range = values.length === 2 && values.every(({ type }) => type === 'time')
  const said = values.map((value) => sayValue(value, talk.memory.language)).join(range ? ' to ' : ', ')
  return `${about}${about.endsWith('?') ? '' : ':'} ${said === '' ? shorten(withoutFinalStop(state.result ?? 'answered'), 6) : said}`
}

function agreedTitle(talk: Talk, { topic, state }: Settled): string {
  const stated = statedIn(topic)
  if (stated !== null && state.result === topic.subject) return `Agreed: ${stated}`
  const said = [state.result ?? topic.subject, topic.text, talk.order.purpose]
  const first = (type: Value['type']): string => {
    for (const text of said) {
      const value = extract(text, talk.memory.language).find((found) => found.type === type)
      if (value !== undefined) return sayValue(value, talk.memory.language)
    }
    return ''
  }
  const when = [first('date'), first('time')].filter(Boolean).join(' ')
  const what = withoutWhen(bare(topic.subject), talk) || withoutWhen(bare(purposeNoun(talk)), talk)
  const base = what.split(' ').length < 2 ? withoutWhen(bare(purposeNoun(talk)), talk) || what : what
  if (when !== '' && talk.memory.language === 'en') return `${base} agreed for ${when}`
  return `${bare(state.result ?? topic.subject)} agreed`
}

function withoutWhen(phrase: string, talk: Talk): string {
  return phrase
    .replace(/\s+(?:at|on|by|from|around)\s+(?:(?:next |this )?\w+day\b|\d\S*(?:\s?[ap]m)?|noon|the \d\S+).*$/i, '')
    .replace(/\s+(?:tomorrow|today|tonight|next \w+|this \w+).*$/i, '')
    .replace(talk.memory.language === 'en' ? /^(?:at |on )?\d{1,2}(?::\d\d)?\s?(?:am|pm)$/i : /^$/, '')
    .replace(/\s+(?:for|on|at|by)$/i, '')
    .trim()
}

/** The statement in the words of the order; the subject is worded for the callee. */
function statedIn({ kind, language, text }: Topic): string | null {
  const isOne = language === 'en' && (kind === 'request' || kind === 'confirmation') && isStatement(text)
  return isOne ? lowerFirst(withoutFinalStop(text)) : null
}

/** Names the topic as the user knows it. */
function label(topic: Topic): string {
  const text = withoutFinalStop(topic.text)
  return (topic.kind === 'information' || topic.kind === 'help') && !text.endsWith('?')
    ? capitalize(bare(topic.subject))
    : capitalize(text)
}

function named(topic: Topic): string {
  const stated = statedIn(topic)
  if (stated !== null) return stated
  return topic.text.endsWith('?') ? `"${topic.text}"` : topic.subject
}

/** Shortened to leave room for the outcome. */
function brief(subject: string): string {
  return shorten(bare(subject), 9)
}

function bare(subject: string): string {
  return subject.replace(/^(?:a|an|the)\s+/i, '').replace(/^whether\s+/i, '')
}

function purposeNoun(talk: Talk): string {
  const [text = ''] = withoutFinalStop(talk.purpose.topic.subject || talk.order.purpose).split(/, (?:and|or|then) /)
  return shorten(startsWithVerb(text) ? nounOf(text) : text, 10)
}

function descriptionOf(talk: Talk, settled: readonly Settled[], endReason: EndReason, spoke: boolean): string {
  const sentences = [openingSentence(talk, endReason, spoke)]
  const met = settled.filter(({ state }) => isAgreed(state))
  const unfit = settled.filter(
    ({ topic, state }) => topic.kind === 'message' && (state.status === 'refused' || state.status === 'offered'),
  )
  const offered = settled.filter(({ topic, state }) => topic.kind !== 'message' && state.status === 'offered')
  const refused = settled.filter(({ topic, state }) => topic.kind !== 'message' && state.status === 'refused')
  const open = settled.filter(({ state }) => state.status === 'open' || state.status === 'waiting')
  if (met.length > 0) sentences.push(`${capitalize(listOf(met.map(achieved)))}.`)
  for (const { topic, state } of unfit)
    sentences.push(
      `${capitalize(topic.subject)} was delivered, but does not suit the callee: "${withoutFinalStop(shorten(state.quote ?? '', 16))}".`,
    )
  if (offered.length > 0) sentences.push(`Offered, and not agreed: ${listOf(offered.map(offeredInstead))}.`)
  if (refused.length > 0) sentences.push(`Not agreed: ${listOf(refused.map(({ topic }) => named(topic)))}.`)
  if (open.length > 0 && spoke && !talk.memory.wrongNumber)
    sentences.push(`Left open: ${listOf(open.map(({ topic }) => named(topic)))}.`)
  if (talk.memory.messageLeft) sentences.push('A message was left with the person who answered.')
  return sentences.filter(Boolean).slice(0, 4).join(' ')
}

/** An offer that only details the wish is no alternative: "a price below 120, namely 110". */
function insteadOf({ topic, state }: Settled): string {
  return state.result?.startsWith(`${topic.subject},`) === true ? '' : `instead of ${topic.subject}, `
}

function offeredInstead({ topic, state }: Settled): string {
  const offer = state.counterOffer ?? ''
  return offer.startsWith(`${topic.subject}, `) ? offer : `${offer} instead of ${named(topic)}`
}

function achieved({ topic, state }: Settled): string {
  if (topic.kind === 'message') return `${topic.subject} was delivered`
  const stated = statedIn(topic)
  if (stated !== null && (topic.kind === 'confirmation' || state.result === topic.subject))
    return `it was ${topic.kind === 'request' ? 'agreed' : 'confirmed'} that ${stated}`
  if (topic.kind === 'request' && !asksWhether(topic))
    return state.status === 'met_within_limits'
      ? `${insteadOf({ topic, state })}${state.result} was agreed, within the limits of the order`
      : `${state.result ?? topic.subject} was agreed`
  if (topic.kind === 'confirmation') return `${topic.subject} was confirmed`
  return `asked ${askedAs(topic)}, the callee said "${withoutFinalStop(shorten(state.quote ?? '', 16))}"`
}

function askedAs(topic: Topic): string {
  if (/^(?:whether|what|when|where|how|who|which|why) /.test(topic.subject) && !topic.text.trim().endsWith('?'))
    return topic.subject
  return topic.kind === 'information' && !topic.text.endsWith('?')
    ? `about ${topic.subject.replace(/^about /, '')}`
    : `"${withoutFinalStop(topic.text)}"`
}

function listOf(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? '') : `${items.slice(0, -1).join('; ')}; and ${items.at(-1)}`
}

function openingSentence(talk: Talk, endReason: EndReason, spoke: boolean): string {
  if (talk.memory.wrongNumber) return 'The person who answered said that this is the wrong number.'
  switch (endReason) {
    case 'opted_out':
      return 'The callee asked not to be called again, and the number will not be called any more.'
    case 'voicemail':
      return 'A voicemail answered and a message was left.'
    case 'refused_to_talk':
      return 'The callee did not want to talk.'
    case 'silence':
      return spoke ? 'The callee stopped answering, so the call was ended.' : 'The call was answered, but nobody spoke.'
    case 'screened':
      return 'A screening assistant did not put the call through.'
    case 'time_limit':
      return 'The call ran into its time limit.'
    case 'stopped':
      return 'The call was stopped while it was running.'
    case 'carrier_dropped':
    case 'interrupted':
    case 'carrier_failure':
      return 'The connection was lost during the call.'
    case 'callee_hung_up':
      return spoke ? 'The callee ended the call.' : 'The callee hung up without saying anything.'
    default:
      return talk.memory.callback === null
        ? 'The callee was reached.'
        : 'The callee was reached, but not at a good moment.'
  }
}

function insightsOf(talk: Talk, settled: readonly Settled[]): string[] {
  const fromTopics = settled.flatMap(({ topic, state }) => {
    if (state.status === 'met_within_limits')
      return [capitalize(`${insteadOf({ topic, state })}agreed: ${state.result}.`)]
    if (topic.kind === 'message' && state.counterOffer !== null)
      return [`Would suit the callee better: ${state.counterOffer}.`]
    if (state.counterOffer !== null && !isAgreed(state)) return [`Offered by the callee: ${state.counterOffer}.`]
    if (
      state.status === 'met' &&
      topic.kind === 'confirmation' &&
      extract(state.quote ?? '', talk.memory.language).length > 0
    )
      return [`${capitalize(statedIn(topic) ?? bare(topic.subject))}: "${shorten(state.quote ?? '', 20)}"`]
    if (state.status === 'met' && (topic.kind === 'information' || topic.kind === 'polar' || topic.kind === 'help'))
      return [`${label(topic)}${label(topic).endsWith('?') ? '' : ':'} "${shorten(state.quote ?? '', 20)}"`]
    return []
  })
  const callback =
    talk.memory.callback === null ? [] : [`About calling again the callee said: "${talk.memory.callback}"`]
  const quoted = new Set(settled.map(({ state }) => state.turn))
  const facts = talk.turns
    .filter(
      ({ speaker, index, text }) =>
        speaker === 'user' && !quoted.has(index) && shorten(text, 16) !== talk.memory.callback,
    )
    .flatMap(({ text }) => factsIn(text, talk))
    .slice(0, FACTS_MAX)
  return [...new Set([...fromTopics, ...callback, ...facts])].slice(0, INSIGHTS_MAX)
}

const KINDS: Readonly<Record<Value['type'], string>> = {
  time: 'Time',
  date: 'Date',
  money: 'Price',
  percent: 'Percentage',
  count: 'Number',
  digits: 'Number',
  name: 'Name',
}

function factsIn(text: string, talk: Talk): string[] {
  return extract(text, talk.memory.language).map(
    (value) =>
      `${KINDS[value.type]} named by the callee: ${sayValue(value, talk.memory.language)} ("${shorten(text, 16)}")`,
  )
}

function nextSteps(talk: Talk, settled: readonly Settled[], endReason: EndReason): string[] {
  if (talk.memory.wrongNumber) return ['Check the number before calling again.']
  if (endReason === 'opted_out') return ['Do not call this number again.']
  const steps = settled.flatMap(({ topic, state }) =>
    topic.kind === 'message' && (state.status === 'refused' || state.status === 'offered')
      ? [
          state.counterOffer === null
            ? 'Get back to the callee, whom it does not suit.'
            : `Find another time; the callee suggests: ${state.counterOffer}.`,
        ]
      : state.status === 'offered'
        ? [`They offer ${state.counterOffer}: accept it or ask for something else.`]
        : [],
  )
  if (talk.memory.callback !== null) steps.push(`Call again; the callee said: "${talk.memory.callback}"`)
  if (endReason === 'voicemail' || talk.memory.messageLeft)
    steps.push('Wait for a call back, or call again at another time.')
  for (const need of talk.memory.missing) steps.push(`Give the callee what was asked for: ${need}.`)
  const open = settled.filter(
    ({ state }) => (state.status === 'open' || state.status === 'waiting') && state.counterOffer === null,
  )
  const reached =
    endReason !== 'voicemail' &&
    !talk.memory.messageLeft &&
    endReason !== 'refused_to_talk' &&
    talk.memory.callback === null
  if (open.length > 0 && reached) steps.push(`Call again to settle: ${listOf(open.map(({ topic }) => named(topic)))}.`)
  const refused = settled.filter(
    ({ topic, state }) => topic.kind !== 'message' && state.status === 'refused' && state.counterOffer === null,
  )
  if (refused.length > 0 && endReason !== 'refused_to_talk')
    steps.push(`Try elsewhere or another way: ${listOf(refused.map(({ topic }) => named(topic)))}.`)
  return steps
}
