import { type CallOrder, leavesOf } from '@parley/contract'
import { folded, SPOKEN_LANGUAGES, withDigits } from '@parley/offline-mind'
import type { HeardTurn } from '@parley/voice-ports'

/** Fewer digits are a price, a time or an extension. */
const DIGITS_MIN = 7
const RUN = /\+?\d(?:[\s().,/-]{0,3}\d)+/g
/** Dates and prices that hold as many digits as a telephone number. */
const NO_TELEPHONE =
  /\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{4}\b|\b\d{1,3}(?:[.,]\d{3})+(?:[.,]\d{2})?\b/g
/** Says that the callee is connected with somebody else. */
const CONNECTS =
  /\b(?:transfer|transferring|connect|connecting|put(?:ting)? you through|forward|patch(?:ing)? you|le paso|paso (?:con|la llamada)|transfiero|comunico con|pongo en contacto|transfere|transmets l'appel|mets en relation|vous passe|bascule|verbinde|stelle sie durch|leite sie weiter)\b/

export interface NumbersKnown {
  readonly order: CallOrder
  readonly turns: readonly HeardTurn[]
  /** What the user has said to the agent. */
  readonly steering: readonly string[]
  /** Numbers that the callee may be connected with. */
  readonly targets: readonly string[]
}

/** What a spoken number begins with, in the languages whose numerals are read. */
const MAY_BE_NUMBER =
  /\d|\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|triple|\w+ty|cero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|\w+enta|veinti?\w*|un|deux|trois|quatre|cinq|sept|huit|neuf|vingt|\w+ante|null|eins|zwei|zwo|drei|vier|funf|sechs|sieben|acht|neun|\w+zig)\b/

/** Which telephone numbers an agent may name, and as whose. */
export class Telephones {
  readonly #of: NumbersKnown
  #digits: readonly string[] | null = null

  constructor(of: NumbersKnown) {
    this.#of = of
  }

  /**
   * Whether the last of these words name a number that is nobody's in this call, or promise a connection with one that
   * is not on the list.
   */
  areForeign(text: string, before: string): boolean {
    const plain = folded(text)
    if (!MAY_BE_NUMBER.test(plain)) return false
    const earlier = new Set(telephonesIn(before))
    const named = telephonesIn(`${before} ${text}`).filter((number) => !earlier.has(number))
    if (named.length === 0) return false
    const known = CONNECTS.test(folded(`${before} ${text}`)) ? this.#of.targets.map(bare) : this.#known
    return named.some((number) => !known.some((digits) => digits.includes(number)))
  }

  get #known(): readonly string[] {
    if (this.#digits) return this.#digits
    const { order, turns, steering, targets } = this.#of
    const { callee, from = '', purpose, objectives, context } = order
    const heard = turns.filter(({ speaker }) => speaker === 'user').map(({ text }) => text)
    const values = leavesOf(context).map(({ value }) => String(value))
    // A callee may spread a number over several turns.
    const texts = [purpose, ...objectives, ...values, ...steering, heard.join(' ')]
    this.#digits = [callee, from, ...targets, ...texts.flatMap(readingsOf)].map(bare)
    return this.#digits
  }
}

/** Digits alone, without the zeros or the sign that lead out of a country. */
function bare(text: string): string {
  return text.replace(/\D/g, '').replace(/^0+/, '')
}

function readingsOf(text: string): string[] {
  const plain = folded(text)
  return [plain, ...SPOKEN_LANGUAGES.map((language) => withDigits(plain, language))]
}

function telephonesIn(text: string): string[] {
  const found = readingsOf(text).flatMap((reading) => reading.replace(NO_TELEPHONE, ' ; ').match(RUN) ?? [])
  return [...new Set(found.map(bare))].filter((digits) => digits.length >= DIGITS_MIN)
}
