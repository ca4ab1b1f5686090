import type { Tone } from '@parley/contract'
import type { Expecting, Value } from './hearing/extract.ts'
import type { Spoken } from './memory.ts'

/**
 * How an answer settles a topic. request: a yes grants it. information: must be told. polar: yes or no answers it.
 * confirmation: a yes confirms it. message: to be delivered. help: an open purpose.
 */
export type TopicKind = 'request' | 'information' | 'polar' | 'confirmation' | 'message' | 'help'

/** One topic to settle, ready to be worded. */
export interface Topic {
  /** As it was ordered. */
  readonly text: string
  /** The language of the order, which the callee need not speak. */
  readonly language: Spoken
  readonly kind: TopicKind
  /** A question, or a statement followed by one; empty for a rule for the agent. */
  readonly question: string
  /** In a few words, for the recap and the summary: "a table at 7 pm". */
  readonly subject: string
  readonly expecting: Expecting
  /** A statement to confirm: only a yes or the same words confirm it. */
  readonly isClaim?: boolean
  /** The values asked for, to recognise alternatives. */
  readonly wants: readonly Value[]
}

/** "Ask whether a dog may come" is granted or not: it has no alternatives. */
export function asksWhether({ subject }: Pick<Topic, 'subject'>): boolean {
  return /^whether /i.test(subject)
}

/** Who speaks, and how. */
export interface Speaker {
  readonly tone: Tone
  readonly owner: string
}

/** The wording of a topic. */
export type Asking = Pick<Topic, 'kind' | 'question' | 'subject' | 'isClaim'>

/** The purpose as a sentence, and as a topic for orders without objectives. */
export interface Purpose {
  /** A complete sentence: "I'm calling to book a table." */
  readonly sentence: string
  /** Precedes the topic's question; empty where the question says it all. */
  readonly lead: string
  readonly topic: Topic
}
