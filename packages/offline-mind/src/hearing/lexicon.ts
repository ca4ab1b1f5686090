import type { Spoken } from '../memory.ts'

/** Intents of a callee besides answering, ordered by importance. */
export const INTENTS = [
  'opt_out',
  'wrong_number',
  'hostile',
  'injection',
  'hold',
  'wants_human',
  'are_you_robot',
  'is_it_recorded',
  'where_number',
  'who_is_this',
  'why_calling',
  'slower',
  'louder',
  'repeat',
  'spell',
  'can_you_hear',
  'how_are_you',
  'must_i',
  'how_long',
  'not_available',
  'take_message',
  'call_back',
  'will_call_back',
  'anything_else',
  'nothing_else',
  'decline',
  'dont_know',
  'thanks',
  'greeting',
  'goodbye',
] as const
export type Intent = (typeof INTENTS)[number]

/** Data a callee asks for that only the order has. */
export const NEEDS = [
  'name',
  'phone',
  'email',
  'people',
  'birthdate',
  'reference',
  'address',
  'payment',
  'date',
  'time',
  'budget',
] as const
export type Need = (typeof NEEDS)[number]

/** The phrases of one language. Patterns match `plain` text. */
export interface Lexicon {
  readonly intents: Readonly<Record<Intent, RegExp>>
  /** Lookalikes of an intent, removed before intents are searched. */
  readonly notIntents: Readonly<Partial<Record<Intent, RegExp>>>
  readonly needs: Readonly<Record<Need, RegExp>>
  readonly yes: RegExp
  readonly no: RegExp
  /** Impossible, overriding anything else said. */
  readonly impossible: RegExp
  /** A yes in the form of a no: "no problem". */
  readonly friendlyNo: RegExp
  readonly maybe: RegExp
  /** Words a clause begins with after a turn: but, however. */
  readonly joiner: RegExp
  readonly condition: RegExp
  /** The first group is what is offered. */
  readonly offers: readonly RegExp[]
  readonly question: RegExp
  /** Words without content. */
  readonly filler: ReadonlySet<string>
  /** Common words that tell this language from the others. */
  readonly telltale: ReadonlySet<string>
  /** Any of these identifies the language of a short text. */
  readonly greetings: RegExp
  readonly asksForLanguage: Readonly<Record<Spoken | 'other', RegExp>>
}
