import { objectivePhase, PHASES, type CallOrder, type Tone } from '@parley/contract'
import type { CallState, HeardTurn, MindEndReason, MindEvent } from '@parley/voice-ports'
import type { Value } from '../hearing/extract.ts'
import { capitalize, fill, wordCount } from '../hearing/text.ts'
import { mandateFor, orderHint, spokenIn, type Mandate } from '../mandate/mandate.ts'
import { dayIn } from '../mandate/days.ts'
import { readOrder } from '../mandate/reading.ts'
import { newTopicState, recall, SPOKEN_LANGUAGES, type Memory, type Spoken, type TopicState } from '../memory.ts'
import type { Purpose, Speaker, Topic } from '../topic.ts'
import { inTone, type Phrasebook, type Toned } from '../wording/phrasebook.ts'
import { PHRASEBOOKS } from '../wording/phrasebooks.ts'
import { purposeIsAsked, purposeOf, topicOf } from '../wording/wording.ts'

/** Words that a listener can follow at once. */
const REPLY_WORDS_MAX = 35

/** One reply in the making: its input and the events so far. */
export interface Talk {
  readonly order: CallOrder
  readonly tone: Tone
  readonly owner: string
  readonly turns: readonly HeardTurn[]
  /** The callee's day, as 2026-11-30. */
  readonly today: string
  readonly memory: Memory
  phrases: Phrasebook
  purpose: Purpose
  /** The objectives, then the purpose if it must be asked about, then topics added during the call. */
  topics: readonly Topic[]
  /** Sentences in order; optional ones are dropped first when the reply grows too long. */
  readonly sentences: { readonly text: string; readonly optional: boolean }[]
  readonly events: MindEvent[]
  ending: MindEndReason | null
}

export function beginTalk(asked: CallState): Talk {
  const { order } = asked
  const owner = order.onBehalfOf.trim() || 'the customer'
  const language = spokenOr(asked.language, 'en')
  const speaker = { tone: order.tone, owner }
  const ordered = order.objectives.map((text) => orderedTopic(text, order, language, speaker))
  const memory = recall(asked.memory, language, ordered.length + (impliesPurpose(order, ordered, speaker) ? 1 : 0))
  const words = wording(order, owner, memory)
  return {
    order,
    tone: order.tone,
    owner,
    turns: asked.turns,
    today: dayIn(asked.timezone, asked.now),
    memory,
    ...words,
    sentences: [],
    events: [],
    ending: null,
  }
}

function wording(order: CallOrder, owner: string, memory: Memory): Pick<Talk, 'phrases' | 'purpose' | 'topics'> {
  const speaker = { tone: order.tone, owner }
  const asked = orderedPurpose(order, memory.language, speaker)
  const ordered = order.objectives.map((text) =>
    within(asked.topic, orderedTopic(text, order, memory.language, speaker)),
  )
  const isImplied = impliesPurpose(order, ordered, speaker)
  const added = memory.added.map((text) => topicOf(text, memory.language, speaker))
  return {
    phrases: PHRASEBOOKS[memory.language],
    purpose: asked,
    topics: [...ordered, ...(isImplied ? [asked.topic] : []), ...added],
  }
}

function impliesPurpose(order: CallOrder, ordered: readonly Topic[], speaker: Speaker): boolean {
  return purposeIsAsked(
    order.purpose,
    order.objectives.filter((_, index) => ordered[index]?.question !== ''),
    speaker,
  )
}

function orderedPurpose(order: CallOrder, language: Spoken, speaker: Speaker): Purpose {
  const whole = purposeOf(order.purpose, language, speaker)
  if (!isGranted(whole.topic)) return whole
  const { asked, wants } = readOrder(
    order.purpose,
    spokenIn(order.purpose, order),
    orderHint(whole.topic.wants, whole.topic.expecting),
  )
  const purpose = asked === order.purpose ? whole : purposeOf(asked, language, speaker)
  return { ...purpose, topic: { ...purpose.topic, wants } }
}

/** The topic of an objective; limits in it are kept from the callee. */
function orderedTopic(text: string, order: CallOrder, language: Spoken, speaker: Speaker): Topic {
  const whole = priced(topicOf(text, language, speaker), order, language)
  if (!isGranted(whole)) return whole
  const { asked, wants, isRule } = readOrder(text, spokenIn(text, order), orderHint(whole.wants, whole.expecting))
  if (isRule) return { ...whole, kind: 'request', question: '', wants: [] }
  const topic = asked === text ? whole : priced(topicOf(asked, language, speaker), order, language)
  return { ...topic, wants }
}

/** Whether an objective is only a limit for the agent. */
export function isLimit(talk: Talk, index: number): boolean {
  const text = talk.order.objectives[index]
  return text !== undefined && readOrder(text, spokenIn(text, talk.order), null).isRule
}

/** "A rate of up to 120 dollars" is a request, not a question. */
function priced(topic: Topic, order: CallOrder, language: Spoken): Topic {
  if (topic.kind !== 'information') return topic
  const { bounds } = readOrder(topic.text, spokenIn(topic.text, order), 'money').limits
  if (bounds.every(({ value }) => value.type !== 'money')) return topic
  const { possible } = PHRASEBOOKS[language].ask
  return { ...topic, kind: 'request', question: fill(inTone(possible, order.tone), { x: topic.subject }) }
}

/** Whether the topic is to be agreed to, rather than told. */
function isGranted({ kind }: Topic): boolean {
  return kind === 'request' || kind === 'confirmation' || kind === 'help'
}

/** Completes a topic by the purpose: "Table at 7 pm" in a call about Friday is a table on Friday. */
function within(purpose: Topic, topic: Topic): Topic {
  if (topic.kind !== 'request') return topic
  const isImplied = (type: Value['type']): boolean => {
    const same = purpose.wants.filter((want) => want.type === type)
    return type === 'date' || (same.length === 1 && (type === 'time' || type === 'count'))
  }
  const implied = purpose.wants.filter(({ type }) => isImplied(type) && topic.wants.every((want) => want.type !== type))
  return { ...topic, wants: [...topic.wants, ...implied] }
}

/** The agent's mandate in one topic. */
export function mandateOf(talk: Talk, index: number): Mandate {
  const topic = talk.topics[index] ?? talk.purpose.topic
  const isPurpose = topic === talk.purpose.topic
  const isAlone = talk.topics.filter(({ kind, question }) => kind === 'request' && question !== '').length < 2
  const text = talk.order.objectives[index] ?? topic.text
  const { wants, expecting } = topic
  return mandateFor(talk.order, talk.memory.steering, { text, wants, expecting, isPurpose, isAlone }, talk.today)
}

export function spokenOr(language: string, otherwise: Spoken): Spoken {
  const base = language.toLowerCase().split('-')[0]
  return SPOKEN_LANGUAGES.find((spoken) => spoken === base) ?? otherwise
}

export function changeLanguage(talk: Talk, language: Spoken): void {
  talk.memory.language = language
  Object.assign(talk, wording(talk.order, talk.owner, talk.memory))
  talk.events.push({ type: 'language', language })
}

/** Adds a topic during the call. */
export function addTopic(talk: Talk, text: string): number {
  talk.memory.added.push(text)
  talk.memory.topics.push(newTopicState())
  Object.assign(talk, wording(talk.order, talk.owner, talk.memory))
  return talk.topics.length - 1
}

export function say(talk: Talk, toned: Toned, values: Readonly<Record<string, string>> = {}): void {
  talk.sentences.push({ text: phrase(talk, toned, values), optional: false })
}

/** An optional courtesy, dropped when the reply is long. */
export function sayIfShort(talk: Talk, toned: Toned, values: Readonly<Record<string, string>> = {}): void {
  talk.sentences.push({ text: phrase(talk, toned, values), optional: true })
}

export function phrase(talk: Talk, toned: Toned, values: Readonly<Record<string, string>> = {}): string {
  return capitalize(fill(inTone(toned, talk.tone), { owner: talk.owner, ...values }))
}

/** Asks a question and remembers which answer is pending. */
export function ask(talk: Talk, question: string, pending: Memory['pending']): void {
  say(talk, question)
  talk.memory.question = question
  talk.memory.pending = pending
}

export function currentTopic(talk: Talk): Topic | undefined {
  return talk.topics[talk.memory.current]
}

export function stateOf(talk: Talk, index: number): TopicState {
  return talk.memory.topics[index] ?? newTopicState()
}

export function isOrdered(talk: Talk, index: number): boolean {
  return index < talk.order.objectives.length
}

export function enterPhase(talk: Talk, phase: string): void {
  talk.events.push({ type: 'phase', phase })
}

export function enterTopic(talk: Talk, index: number): void {
  talk.memory.current = index
  if (isOrdered(talk, index)) enterPhase(talk, objectivePhase(index, talk.order.objectives.length))
}

export function end(talk: Talk, reason: MindEndReason): void {
  talk.memory.closed = true
  talk.memory.pending = 'nothing'
  talk.ending = reason
}

/** One of these is in every reply: one that keeps silent on purpose tells its phase. */
const ANSWERS: readonly MindEvent['type'][] = ['say', 'press', 'phase', 'hang_up']

/** The events of the reply in the order of the port: memory last. */
export function finish(talk: Talk): MindEvent[] {
  if (talk.ending !== null && talk.ending !== 'voicemail') enterPhase(talk, PHASES.wrappingUp)
  const events = [...talk.events]
  const text = spoken(talk)
  if (text !== '') {
    events.push({ type: 'say', text })
    talk.memory.spokenFrom = (talk.turns.at(-1)?.index ?? -1) + 1
  }
  if (talk.ending !== null) events.push({ type: 'hang_up', reason: talk.ending })
  if (!events.some(({ type }) => ANSWERS.includes(type))) events.push({ type: 'phase', phase: phaseNow(talk) })
  return [...events, { type: 'memory', memory: talk.memory }]
}

function phaseNow(talk: Talk): string {
  if (!talk.memory.opened) return PHASES.greeting
  return isOrdered(talk, talk.memory.current) && !talk.memory.closed
    ? objectivePhase(talk.memory.current, talk.order.objectives.length)
    : PHASES.wrappingUp
}

function spoken(talk: Talk): string {
  let kept = [...talk.sentences]
  const length = (): number => wordCount(kept.map(({ text }) => text).join(' '))
  while (length() > REPLY_WORDS_MAX) {
    const drop = kept.find(({ optional }) => optional)
    if (drop === undefined) break
    kept = kept.filter((sentence) => sentence !== drop)
  }
  return kept.map(({ text }) => text).join(' ')
}
