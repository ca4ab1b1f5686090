import { OUTCOME_STATUSES } from '@parley/contract'
import { z } from 'zod'

export const SPOKEN_LANGUAGES = ['en', 'es', 'fr', 'de'] as const
export const Spoken = z.enum(SPOKEN_LANGUAGES)
export type Spoken = z.infer<typeof Spoken>

const TopicState = z.object({
  status: z.enum(['waiting', ...OUTCOME_STATUSES]),
  /** How often it was put to the callee. */
  asked: z.int(),
  /** How many of the order's other wishes were put to them. */
  proposed: z.int().default(0),
  quote: z.string().nullable(),
  turn: z.int().nullable(),
  /** What was agreed or learned, in a few words. */
  result: z.string().nullable(),
  /** What the callee would rather do; not agreed. */
  counterOffer: z.string().nullable(),
})
export type TopicState = z.infer<typeof TopicState>

const Offer = z.object({
  result: z.string(),
  /** The line that offers it; null where the agent proposed it. */
  quote: z.string().nullable(),
  turn: z.int().nullable(),
  /** Just what was asked for. */
  isAsked: z.boolean(),
})
export type Offer = z.infer<typeof Offer>

/** All that is kept between two replies: plain data, handed back by whoever used the last reply. */
const Memory = z.object({
  language: Spoken,
  opened: z.boolean(),
  closed: z.boolean(),
  /** What the callee is expected to answer to. */
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
  /** Things to ask that were added during the call. */
  added: z.array(z.string()),
  /** The last question, for when it was not heard. */
  question: z.string(),
  offer: Offer.nullable(),
  waiting: z.boolean(),
  /** Lines in a row that made no sense here. */
  misheard: z.int(),
  /** Lines in a row that asked about the call instead of answering. */
  asides: z.int().default(0),
  /** Index that the turn of the last reply with words would have had; it has none where nothing of it was heard. */
  spokenFrom: z.int().default(0),
  /** Replies in a row whose question the callee talked over. */
  talkedOver: z.int().default(0),
  /** So many turns of a callee who talks on are still let pass without a word. */
  listening: z.int().default(0),
  /** Attempts to give the agent another task. */
  declined: z.int(),
  menusHeard: z.int(),
  /** What the person behind the call added: limits and facts. */
  steering: z.array(z.string()),
  facts: z.record(z.string(), z.string()),
  /** Asked for and not known; told as soon as it is. */
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

/** A working copy of what was remembered, or a fresh start when it cannot be read. */
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
