import type { Tone } from '@parley/contract'
import type { Need } from '../hearing/lexicon.ts'

/** One wording for every tone, or the usual one and exceptions. */
export type Toned = string | ({ readonly usual: string } & Partial<Readonly<Record<Tone, string>>>)

/** Frames of a question; {x} is the thing. */
export interface Frames {
  /** x names something: "a table at 7 pm". */
  readonly possible: Toned
  /** x is something to do: "book a table". */
  readonly doable: Toned
  /** x is something to learn: "the opening hours". */
  readonly tell: Toned
  readonly have: Toned
  readonly suits: Toned
  readonly confirm: Toned
  readonly let: Toned
  /** x is in words of its own that fit no frame. */
  readonly quoted: Toned
  readonly help: Toned
  readonly stillFits: Toned
}

/** Everything the agent says in one language. */
export interface Phrasebook {
  readonly purpose: {
    readonly action: Toned
    readonly about: Toned
    readonly quoted: Toned
    readonly question: Toned
    readonly message: Toned
  }
  readonly ask: Frames
  readonly next: readonly string[]
  readonly last: string
  readonly thanks: readonly Toned[]
  readonly understood: Toned
  readonly onlyTheseLanguages: string
  // Answers to questions of the callee
  readonly who: Toned
  readonly robot: Toned
  readonly human: string
  readonly number: string
  readonly recorded: string
  readonly notRecorded: string
  readonly hearYou: string
  readonly howAreYou: Toned
  readonly upToYou: string
  readonly notLong: string
  readonly slower: string
  readonly louder: string
  readonly repeat: Toned
  readonly takeYourTime: Toned
  readonly stillHere: string
  readonly spelled: string
  readonly unknown: Toned
  readonly private: string
  readonly decline: string
  readonly declineAgain: string
  readonly needs: Readonly<Record<Exclude<Need, 'payment' | 'budget'>, string>>
  readonly generalFact: string
  readonly nowKnown: string
  // Working on an objective
  readonly notUnderstood: Toned
  readonly goAhead: string
  readonly firmYes: string
  readonly stillAsk: Toned
  readonly alternative: Toned
  readonly whichAlternative: string
  readonly agreeOffer: Toned
  /** x is exactly what was asked for. */
  readonly confirmAsked: Toned
  /** x is the order's next alternative. */
  readonly proposal: Toned
  readonly whichPrice: string
  readonly betterOffer: string
  readonly otherTime: string
  readonly passOn: string
  readonly passOnOffer: string
  readonly noteOffer: Toned
  readonly cannotAgree: string
  readonly condition: string
  readonly howToGoAbout: string
  readonly isThatAll: Toned
  readonly whatElse: string
  readonly anythingElse: string
  // Endings
  readonly whenToCall: Toned
  readonly callbackNoted: string
  readonly messageTaken: string
  readonly willWait: string
  readonly wrongNumber: string
  readonly refused: string
  readonly optedOut: string
  readonly recap: string
  readonly and: string
  readonly goodbye: Toned
  readonly timeUp: string
  readonly stillThere: Toned
  readonly nobodyThere: string
  // Machines
  readonly voicemailCallback: string
  readonly screening: string
  readonly relayed: string
}

export function inTone(toned: Toned, tone: Tone): string {
  return typeof toned === 'string' ? toned : (toned[tone] ?? toned.usual)
}
