import type { Spoken } from '../memory.ts'

/** What a callee may mean besides answering. The order is the order of importance. */
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

/** Things a callee asks for that only the order may answer. */
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

/** The words of one language, as they are heard. Every pattern is matched against `plain` text. */
export interface Lexicon {
  readonly intents: Readonly<Record<Intent, RegExp>>
  /** What looks like an intent and is none; removed before the intents are looked for. */
  readonly notIntents: Readonly<Partial<Record<Intent, RegExp>>>
  readonly needs: Readonly<Record<Need, RegExp>>
  readonly yes: RegExp
  readonly no: RegExp
  /** Impossible, whatever else is said around it. */
  readonly impossible: RegExp
  /** Sounds like a no and is a yes: "no problem". */
  readonly friendlyNo: RegExp
  readonly maybe: RegExp
  /** Words a clause begins with after a turn: but, however. */
  readonly joiner: RegExp
  readonly condition: RegExp
  /** The first group is what is offered. */
  readonly offers: readonly RegExp[]
  readonly question: RegExp
  /** Says nothing by itself. */
  readonly filler: ReadonlySet<string>
  /** Common words that tell this language from the others. */
  readonly telltale: ReadonlySet<string>
  /** One of these alone is enough in a short line. */
  readonly greetings: RegExp
  readonly asksForLanguage: Readonly<Record<Spoken | 'other', RegExp>>
}
