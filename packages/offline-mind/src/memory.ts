import { OUTCOME_STATUSES } from '@parley/contract'
import { z } from 'zod'

export const SPOKEN_LANGUAGES = ['en', 'es', 'fr', 'de'] as const
export const Spoken = z.enum(SPOKEN_LANGUAGES)
export type Spoken = z.infer<typeof Spoken>

const TopicState = z.object({
  status: z.enum(['waiting', ...OUTCOME_STATUSES]),
  /** How often the callee was asked. */
  asked: z.int(),
  /** How many alternatives of the order were proposed. */
  proposed: z.int().default(0),
  quote: z.string().nullable(),
  turn: z.int().nullable(),
  /** What was agreed or learned, in a few words. */
  result: z.string().nullable(),
  /** The callee's alternative, not agreed to. */
  counterOffer: z.string().nullable(),
})
export type TopicState = z.infer<typeof TopicState>

const Offer = z.object({
  result: z.string(),
  /** The utterance that offers it; null where the agent proposed it. */
  quote: z.string().nullable(),
  turn: z.int().nullable(),
  /** Exactly what was asked for. */
  isAsked: z.boolean(),
})
export type Offer = z.infer<typeof Offer>

/** State between two replies: plain data, passed back with the next question if the reply was used. */
const Memory = z.object({
  language: Spoken,
  opened: z.boolean(),
  closed: z.boolean(),
  /** The kind of answer expected next. */
  pending: z.enum([
    'nothing',
    'topic',
    'firm_yes',
    'content',
    'alternative',
    'agreement',
    'better_offer',
    'price',
    'callback_time',
    'other_time',
    'anything_else',
  ]),
  current: z.int(),
  topics: z.array(TopicState),
  /** Questions added during the call. */
  added: z.array(z.string()),
  /** The last question, to repeat it. */
  question: z.string(),
  offer: Offer.nullable(),
  waiting: z.boolean(),
  /** Utterances in a row that were not understood. */
  misheard: z.int(),
  /** Utterances in a row that asked about the call. */
  asides: z.int().default(0),
  /** Turn index that the last reply with words would have; no such turn exists if nothing of it was heard. */
  spokenFrom: z.int().default(0),
  /** Replies in a row whose question the callee talked over. */
  talkedOver: z.int().default(0),
  /** Turns of a callee who talks on that are still left without a reply. */
  listening: z.int().default(0),
  /** Attempts to give the agent another task. */
  declined: z.int(),
  menusHeard: z.int(),
  /** Limits and facts that the user added during the call. */
  steering: z.array(z.string()),
  facts: z.record(z.string(), z.string()),
  /** Data asked for but unknown; passed on once the user adds it. */
  missing: z.array(z.string()),
  callback: z.string().nullable(),
  wrongNumber: z.boolean(),
  messageLeft: z.boolean(),
  recapped: z.boolean(),
  /** Index of the last turn of the callee that was weighed. */
  weighedTurn: z.int(),
})
export type Memory = z.infer<typeof Memory>

export function newTopicState(): TopicState {
  return { status: 'waiting', asked: 0, proposed: 0, quote: null, turn: null, result: null, counterOffer: null }
}

/** A working copy of the memory, or a new one when it cannot be read. */
export function recall(remembered: unknown, language: Spoken, topicCount: number): Memory {
  const read = Memory.safeParse(remembered)
  if (read.success && read.data.topics.length >= topicCount) return structuredClone(read.data)
  return {
    language,
    opened: false,
    closed: false,
    pending: 'nothing',
    current: 0,
    topics: Array.from({ length: topicCount }, newTopicState),
    added: [],
    question: '',
    offer: null,
    waiting: false,
    misheard: 0,
    asides: 0,
    spokenFrom: 0,
    talkedOver: 0,
    listening: 0,
    declined: 0,
    menusHeard: 0,
    steering: [],
    facts: {},
    missing: [],
    callback: null,
    wrongNumber: false,
    messageLeft: false,
    recapped: false,
    weighedTurn: -1,
  }
}
