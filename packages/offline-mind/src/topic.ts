import type { Tone } from '@parley/contract'
import type { Expecting, Value } from './hearing/extract.ts'
import type { Spoken } from './memory.ts'

/**
 * How an answer settles it. request: a yes grants it. information: something must be told. polar: a yes or a no
 * both answer it. confirmation: a yes confirms it. message: to be delivered. help: an open purpose.
 */
export type TopicKind = 'request' | 'information' | 'polar' | 'confirmation' | 'message' | 'help'

/** One thing to settle, ready to be spoken about. */
export interface Topic {
  /** As it was ordered. */
  readonly text: string
  /** What the order is written in, which the callee need not speak. */
  readonly language: Spoken
  readonly kind: TopicKind
  /** A whole question, or a statement followed by one; empty for what is a rule for the agent and not to be said. */
  readonly question: string
  /** In a few words, for the recap and the summary: "a table at 7 pm". */
  readonly subject: string
  readonly expecting: Expecting
  /** It is said to be so: only a yes confirms it, or the same words; whatever else is said is something else. */
  readonly isClaim?: boolean
  /** What was asked for, so that an alternative is recognised. */
  readonly wants: readonly Value[]
}

/** "Ask whether a dog may come" is granted or not: no thing is agreed, and nothing close to it can be offered. */
export function asksWhether({ subject }: Pick<Topic, 'subject'>): boolean {
  return /^whether /i.test(subject)
}

/** Who speaks, and how. */
export interface Speaker {
  readonly tone: Tone
  readonly owner: string
}

/** What the wording of a topic decides. */
export type Asking = Pick<Topic, 'kind' | 'question' | 'subject' | 'isClaim'>

/** What the call is for, as a sentence, and as a topic for orders without objectives. */
export interface Purpose {
  /** Stands alone: "I'm calling to book a table." */
  readonly sentence: string
  /** Comes before the topic's own question; empty where that says it all. */
  readonly lead: string
  readonly topic: Topic
}
