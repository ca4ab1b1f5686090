import { isMet, type Outcome, type OutcomeStatus } from '@parley/contract'
import { answerNeeds } from '../conversation/asides.ts'
import { sentencesIn, shorten, wordCount } from '../hearing/text.ts'
import type { Understanding } from '../hearing/understand.ts'
import type { Offer, TopicState } from '../memory.ts'
import { ask, end, enterTopic, isOrdered, phrase, say, sayIfShort, stateOf, type Talk } from '../conversation/talk.ts'
import { asksWhether } from '../topic.ts'
import { inTone } from '../wording/phrasebook.ts'

/** The utterance that settled a topic. */
export interface Evidence {
  readonly quote: string | null
  readonly turn: number | null
}

/** An utterance of the callee, with its meaning and evidence. */
export interface Utterance {
  readonly heard: Understanding
  readonly evidence: Evidence
}

const RECAP_WORDS_MAX = 18

export function settle(
  talk: Talk,
  index: number,
  status: OutcomeStatus,
  evidence: Evidence,
  result: string | null,
): void {
  const state = stateOf(talk, index)
  Object.assign(state, { status, quote: evidence.quote, turn: evidence.turn, result } satisfies Partial<TopicState>)
  talk.memory.offer = null
  talk.memory.misheard = 0
  talk.memory.asides = 0
  if (isOrdered(talk, index)) talk.events.push({ type: 'outcome', index, outcome: outcomeOf(talk, index) })
}

export function outcomeOf(talk: Talk, index: number): Outcome {
  const { status, quote, turn, result, counterOffer } = stateOf(talk, index)
  const offer = status === 'met_within_limits' ? result : status === 'offered' ? counterOffer : null
  return {
    objective: talk.order.objectives[index] ?? talk.order.purpose,
    status: status === 'waiting' ? 'open' : status,
    quote,
    turn,
    offer,
  }
}

/** Whether the topic was met, exactly or within limits. */
export function isAgreed({ status }: Pick<TopicState, 'status'>): boolean {
  return status !== 'waiting' && isMet({ status })
}

/** Asks about the next open topic, or ends the call. */
export function proceed(talk: Talk): void {
  const { topics } = talk.memory
  // Rules for the agent are not asked about.
  for (const [index, topic] of talk.topics.entries()) if (topic.question === '') stateOf(talk, index).status = 'open'
  const purpose = talk.topics.indexOf(talk.purpose.topic)
  const next = topics[purpose]?.status === 'waiting' ? purpose : topics.findIndex(({ status }) => status === 'waiting')
  const topic = talk.topics[next]
  if (topic === undefined) {
    wrapUp(talk)
    return
  }
  const left = topics.filter(({ status }) => status === 'waiting').length
  enterTopic(talk, next)
  stateOf(talk, next).asked += 1
  ask(talk, topic.question, 'topic')
  const spoken = talk.sentences.at(-1)
  const first = topics.every(({ asked }, index) => index === next || asked === 0)
  if (spoken !== undefined && !first)
    talk.sentences[talk.sentences.length - 1] = { ...spoken, text: linked(talk, spoken.text, next, left) }
}

/** "Also, could you tell me the price?" */
function linked(talk: Talk, question: string, index: number, left: number): string {
  const { last, next } = talk.phrases
  const link = left === 1 && talk.topics.length > 2 ? last : (next[index % next.length] ?? '')
  const asks =
    /^(?:Would|Could|Can|May|Might|Do|Does|Did|Is|Are|Any|What|When|Where|Who|Which|Why|How|Will|Should)\b/.test(
      question,
    )
  if (asks) return `${link} ${question.charAt(0).toLowerCase()}${question.slice(1)}`
  return link.endsWith(':') ? `${link} ${question}` : question
}

/** After an agreement asks whether the callee needs anything; otherwise ends the call. */
function wrapUp(talk: Talk): void {
  const agreed = talk.topics.some((topic, index) => topic.kind === 'request' && isAgreed(stateOf(talk, index)))
  if (!agreed) {
    close(talk)
    return
  }
  ask(talk, inTone(talk.phrases.isThatAll, talk.tone), 'anything_else')
}

/** Closes with thanks and a recap of what was agreed. */
export function close(talk: Talk): void {
  withoutThanks(talk)
  const agreed = talk.memory.recapped ? null : recapOf(talk)
  talk.memory.recapped = true
  if (agreed !== null) sayIfShort(talk, talk.phrases.recap, { x: agreed })
  say(talk, talk.phrases.goodbye)
  end(talk, 'agent_closed')
}

/** Removes thanks, since the goodbye thanks too. */
function withoutThanks(talk: Talk): void {
  const thanks = talk.phrases.thanks.map((toned) => phrase(talk, toned))
  const kept = talk.sentences.filter(({ text }) => !thanks.includes(text))
  talk.sentences.splice(0, talk.sentences.length, ...kept)
}

function recapOf(talk: Talk): string | null {
  const agreed = talk.topics.flatMap((topic, index) => {
    const { status, result } = stateOf(talk, index)
    if ((topic.text.trim().endsWith('?') || asksWhether(topic)) && result === topic.subject) return []
    return isAgreed({ status }) && (topic.kind === 'request' || topic.kind === 'confirmation') && result !== null
      ? [result]
      : []
  })
  const fitting = agreed.filter((_, index) => wordCount(agreed.slice(0, index + 1).join(' ')) <= RECAP_WORDS_MAX)
  if (fitting.length === 0) return null
  return fitting.length === 1
    ? shorten(fitting[0] ?? '', RECAP_WORDS_MAX)
    : `${fitting.slice(0, -1).join(', ')} ${talk.phrases.and} ${fitting.at(-1)}`
}

/** Thanks in a wording that differs from the last one. */
export function thank(talk: Talk): void {
  const thanks = talk.phrases.thanks
  const toned = thanks[talk.memory.current % thanks.length]
  if (toned !== undefined) sayIfShort(talk, toned)
}

export function confirmOffer(talk: Talk, offer: Offer): void {
  talk.memory.offer = offer
  const { agreeOffer, confirmAsked, proposal } = talk.phrases
  const asked = offer.quote === null ? proposal : offer.isAsked ? confirmAsked : agreeOffer
  ask(talk, phrase(talk, asked, { x: offer.result }), 'agreement')
}

/** Repeats the pending question after something else was said: with its lead, or the question alone. */
export function askAgain(talk: Talk, whole = false): void {
  const { memory } = talk
  if (memory.pending === 'nothing') {
    proceed(talk)
    return
  }
  const sentences = sentencesIn(memory.question)
  say(talk, whole ? memory.question : (sentences.at(-1) ?? memory.question))
}

/** After a topic is settled: answers what was asked back, then continues; a goodbye ends the call. */
export function goOn(talk: Talk, heard: Understanding): void {
  if (heard.intents.has('goodbye')) {
    close(talk)
    return
  }
  if (heard.needs.length > 0) answerNeeds(talk, heard)
  proceed(talk)
}
