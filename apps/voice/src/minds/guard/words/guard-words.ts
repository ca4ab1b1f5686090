/** What the guard listens for in an agent's sentence: small letters without accents. */
export interface GuardWords {
  readonly language: 'en' | 'es' | 'fr' | 'de'
  /** A stretch that is denied, to its comma: "I can't agree to that". */
  readonly denied: RegExp
  /** Agrees, whatever was said before. */
  readonly accepts: RegExp
  /** Agrees as the answer to an offer: "yes", "perfect". */
  readonly nods: RegExp
  /** Asks for or promises what it names. */
  readonly proposes: RegExp
  /** Names something only to compare with it: "earlier than nine". */
  readonly compares: RegExp
  /** Says that it is booked or settled. */
  readonly claims: RegExp
  /** Leaves it to the user. */
  readonly defers: RegExp
  /** The callee presses for a yes. */
  readonly presses: RegExp
  /** Says to be a person, or no machine. */
  readonly human: RegExp
  /** Of a question: "would", "is". */
  readonly asking: RegExp
}
