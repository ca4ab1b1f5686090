import { objectivePhase, PHASES, type CallOrder, type EndReason, type Tone } from '@parley/contract'
import type { Asked, HeardTurn, MindEvent } from '../port.ts'
import { capitalize, fill, wordCount } from './hearing/text.ts'
import { newTopicState, recall, SPOKEN_LANGUAGES, type Memory, type Spoken, type TopicState } from './memory.ts'
import type { Purpose, Topic } from './topic.ts'
import { inTone, type Phrasebook, type Toned } from './wording/phrasebook.ts'
import { PHRASEBOOKS } from './wording/phrasebooks.ts'
import { purposeIsAsked, purposeOf, topicOf } from './wording/wording.ts'

/** What a person can take in at once. */
const REPLY_WORDS_MAX = 35

/** One reply in the making: what is known, and what will be said. Lives for one reply. */
export interface Talk {
  readonly order: CallOrder
  readonly tone: Tone
  readonly owner: string
  readonly turns: readonly HeardTurn[]
  readonly memory: Memory
  phrases: Phrasebook
  purpose: Purpose
  /** The objectives in their order, then the purpose where it is to be asked for itself, then what was added. */
  topics: readonly Topic[]
  /** Sentences in order; an optional one goes first when the reply grows too long. */
  readonly sentences: { readonly text: string; readonly optional: boolean }[]
  readonly events: MindEvent[]
  ending: EndReason | null
}

export function beginTalk(asked: Omit<Asked, 'cue'>): Talk {
  const { order } = asked
  const owner = order.onBehalfOf.trim() || 'the customer'
  const implied = purposeIsAsked(order.purpose, order.objectives, { tone: order.tone, owner }) ? 1 : 0
  const memory = recall(asked.memory, spokenOr(asked.language, 'en'), order.objectives.length + implied)
  const words = wording(order, owner, memory)
  return { order, tone: order.tone, owner, turns: asked.turns, memory, ...words, sentences: [], events: [], ending: null }
}

function wording(order: CallOrder, owner: string, memory: Memory): Pick<Talk, 'phrases' | 'purpose' | 'topics'> {
  const speaker = { tone: order.tone, owner }
  const purpose = purposeOf(order.purpose, memory.language, speaker)
  const ordered = order.objectives.map((text) => within(purpose.topic, topicOf(text, memory.language, speaker)))
  const implied = purposeIsAsked(order.purpose, order.objectives, speaker) ? [purpose.topic] : []
  const added = memory.added.map((text) => topicOf(text, memory.language, speaker))
  return { phrases: PHRASEBOOKS[memory.language], purpose, topics: [...ordered, ...implied, ...added] }
}

/** "Table at 7 pm" in a call about Friday is a table on Friday. */
function within(purpose: Topic, topic: Topic): Topic {
  if (topic.kind !== 'request') return topic
  const implied = purpose.wants.filter(({ type }) => type === 'date' && topic.wants.every((want) => want.type !== type))
  return { ...topic, wants: [...topic.wants, ...implied] }
}

function spokenOr(language: string, otherwise: Spoken): Spoken {
  const base = language.toLowerCase().split('-')[0]
  return SPOKEN_LANGUAGES.find((spoken) => spoken === base) ?? otherwise
}

export function changeLanguage(talk: Talk, language: Spoken): void {
  talk.memory.language = language
  Object.assign(talk, wording(talk.order, talk.owner, talk.memory))
  talk.events.push({ type: 'language', language })
}

/** One more thing to settle, asked for during the call. */
export function addTopic(talk: Talk, text: string): number {
  talk.memory.added.push(text)
  talk.memory.topics.push(newTopicState())
  Object.assign(talk, wording(talk.order, talk.owner, talk.memory))
  return talk.topics.length - 1
}

export function say(talk: Talk, toned: Toned, values: Readonly<Record<string, string>> = {}): void {
  talk.sentences.push({ text: phrase(talk, toned, values), optional: false })
}

/** Kindness that gives way when there is much to say. */
export function sayIfShort(talk: Talk, toned: Toned, values: Readonly<Record<string, string>> = {}): void {
  talk.sentences.push({ text: phrase(talk, toned, values), optional: true })
}

export function phrase(talk: Talk, toned: Toned, values: Readonly<Record<string, string>> = {}): string {
  return capitalize(fill(inTone(toned, talk.tone), { owner: talk.owner, ...values }))
}

/** Asks, and remembers what for. */
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

export function end(talk: Talk, reason: EndReason): void {
  talk.memory.closed = true
  talk.memory.pending = 'nothing'
  talk.ending = reason
}

/** Everything the reply does, in the order the port asks for: memory last. */
export function finish(talk: Talk): MindEvent[] {
  if (talk.ending !== null && talk.ending !== 'voicemail') enterPhase(talk, PHASES.wrappingUp)
  const events = [...talk.events]
  const text = spoken(talk)
  if (text !== '') events.push({ type: 'say', text })
  if (talk.ending !== null) events.push({ type: 'hang_up', reason: talk.ending })
  if (events.length === 0) events.push({ type: 'phase', phase: phaseNow(talk) })
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
