import { folded } from '@parley/offline-mind'
import type { HeardTurn } from '@parley/voice-ports'
import type { OrderReading } from '@parley/offline-mind'
import { standingOffer, type Standing } from './table.ts'
import { type GuardWords, WORDS } from './words/words.ts'

export interface Spoken {
  /** The sentence, or a clause of it. */
  readonly text: string
  /** What was let out of the same reply before it. */
  readonly said: string
  /** More of the reply may follow. */
  readonly isOpen: boolean
}

export type Verdict = 'speak' | 'hold' | 'agrees' | 'claims'

const NOD_WORDS_MAX = 5

/** Whether a sentence agrees to, asks for or claims what the order does not allow. */
export class Commitments {
  readonly #reading: OrderReading
  readonly #standing: Standing | null
  /** The callee has granted something, so that it may be called booked. */
  readonly #isGranted: boolean

  constructor(reading: OrderReading, turns: readonly HeardTurn[], objectives: number, isMet: boolean) {
    this.#reading = reading
    this.#standing = standingOffer(reading, turns, objectives)
    this.#isGranted = isMet || grantsSomething(reading, turns, objectives)
  }

  judge({ text, said, isOpen }: Spoken): Verdict {
    const plain = folded(text)
    const whole = folded(`${said} ${text}`)
    const isLeft = WORDS.some(({ defers }) => defers.test(whole))
    if (WORDS.some((words) => this.#accepts(plain, words)))
      return isOpen && this.#standing?.isAmbiguous === true && this.#reading.forbidden(plain).length === 0
        ? 'hold'
        : 'agrees'
    const own = WORDS.some(({ defers }) => defers.test(plain))
    const languages = this.#reading.languagesOf(text)
    if (!own && WORDS.some((words) => languages.has(words.language) && this.#proposes(plain, words))) return 'agrees'
    if (this.#standing?.isFresh === true && !isLeft && WORDS.some((words) => nods(plain, words)))
      return isOpen && plain.split(' ').length <= NOD_WORDS_MAX ? 'hold' : 'agrees'
    if (!this.#isGranted && !plain.endsWith('?') && WORDS.some((words) => isClaim(plain, words))) return 'claims'
    return 'speak'
  }

  /** Agrees to values, or to what is on the table, that are not the agent's to agree to. */
  #accepts(plain: string, words: GuardWords): boolean {
    const stated = statedIn(plain, words).replace(words.denied, ' ')
    if (!words.accepts.test(stated)) return false
    const own = stated.replace(words.compares, ' ')
    if (this.#reading.forbidden(own).length > 0) return true
    const standing = this.#standing
    if (standing === null || standing.isLeft) return false
    return this.#reading.permitted(own).length === 0 || standing.offers.some(({ values }) => values.length === 0)
  }

  #proposes(plain: string, words: GuardWords): boolean {
    const own = plain.replace(words.compares, ' ')
    return words.proposes.test(own.replace(words.denied, ' ')) && this.#reading.unwished(own).length > 0
  }
}

function nods(plain: string, words: GuardWords): boolean {
  return words.nods.test(statedIn(plain, words))
}

function isClaim(plain: string, words: GuardWords): boolean {
  return words.claims.test(plain.replace(words.denied, ' ')) && !/\b(?:that|which) (?:is|was|are)\b|\?$/.test(plain)
}

/** What a sentence states before it asks: "that works" of "that works, is that right?". */
function statedIn(plain: string, { asking }: GuardWords): string {
  // A clause may be the beginning of a question.
  if (!plain.endsWith('?')) return asking.test(plain) && !/[.!]$/.test(plain) ? '' : plain
  const clauses = plain.split(/[,;:] /)
  const asked = clauses.findIndex((clause) => asking.test(clause))
  return clauses.slice(0, asked < 0 ? clauses.length - 1 : asked).join(', ')
}

function grantsSomething(reading: OrderReading, turns: readonly HeardTurn[], objectives: number): boolean {
  const last = turns.findLast(({ speaker }) => speaker === 'user')
  if (!last) return false
  return Array.from({ length: Math.max(1, objectives) }, (_, index) => reading.answer(index, last.text)).some(
    ({ type, permission }) => permission !== 'no' && (type === 'grants' || type === 'offers' || type === 'tells'),
  )
}

/** Whether an agent's words claim that something is done. */
export function claimsDone(text: string): boolean {
  return WORDS.some((words) => isClaim(folded(text), words))
}
