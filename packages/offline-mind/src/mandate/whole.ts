import { marked, type Expecting, type Value } from '../hearing/extract.ts'
import type { Spoken } from '../memory.ts'
import type { Kind } from './limits.ts'
import { VOCABULARY } from './vocabulary.ts'

/** What is true of every clause that grants something: each of its words is one the grammar knows. */

export const EVERYTHING: readonly Kind[] = ['time', 'date', 'money', 'percent', 'count', 'thing']

/** The clause with a § for each value, and without punctuation. */
export function skeleton(said: string, language: Spoken, hint: Expecting): string {
  return marked(said, language, hint)
    .replace(/[.,;:!?()"]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

const GRANTING = wholes(({ granting }) => granting)
const FAILING = wholes(({ failing }) => failing)

function wholes(
  phrasesOf: (vocabulary: (typeof VOCABULARY)[Spoken]) => readonly string[],
): Readonly<Record<Spoken, RegExp>> {
  const whole = (language: Spoken) => new RegExp(`^(?:(?:${phrasesOf(VOCABULARY[language]).join('|')})(?= |'|$) ?)*$`)
  return { en: whole('en'), es: whole('es'), fr: whole('fr'), de: whole('de') }
}

/** Is nothing in the rest of a clause, its bounds taken out, that was not understood? */
export function isWhole(rest: string, language: Spoken, hint: Expecting): boolean {
  return GRANTING[language].test(skeleton(rest, language, hint))
}

/** "If that is not possible", and not "if my wife comes". */
export function isFailing(said: string, language: Spoken): boolean {
  const bare = skeleton(said, language, 'time')
  return FAILING[language].test(bare) && VOCABULARY[language].failed.test(bare)
}

export function isExclusion(said: string, language: Spoken, hint: Expecting): boolean {
  return VOCABULARY[language].excluding.test(skeleton(said, language, hint))
}

/** Belongs to what is asked for, and says nothing of its own. */
export function isComplement(said: string, language: Spoken, hint: Expecting): boolean {
  const { complement, restricting, clause } = VOCABULARY[language]
  const bare = skeleton(said, language, hint)
  return complement.test(bare) && !restricting.test(bare) && !clause.test(bare)
}

export function isRange(said: string, language: Spoken, hint: Expecting): boolean {
  return VOCABULARY[language].range.test(skeleton(said, language, hint))
}

/** "8:30 would be too late" tells of a time and asks for none. */
export function isAboutValue(said: string, language: Spoken, hint: Expecting): boolean {
  return VOCABULARY[language].predicate.test(skeleton(said, language, hint))
}

/** Where a text begins to forbid, to exclude or to set a condition; -1 where it does not. */
export function restrictionAt(said: string, language: Spoken): number {
  return said.search(VOCABULARY[language].restricting)
}

/** What a clause that was not wholly understood puts beyond the agent: all that it speaks of, or may speak of. */
export function touchedBy(said: string, values: readonly Value[], language: Spoken): Kind[] {
  const named = values.flatMap(({ type }): Kind[] =>
    type === 'digits' || type === 'name' ? [] : type === 'money' || type === 'percent' ? ['money', 'percent'] : [type],
  )
  const spoken = VOCABULARY[language].touching.flatMap(([pattern, kinds]) => (pattern.test(said) ? kinds : []))
  const touched = [...new Set([...named, ...spoken])]
  return touched.length === 0 && restrictionAt(said, language) >= 0 ? [...EVERYTHING] : touched
}

/**
 * To be ended, not to be had: no time and no price that is offered can grant it. Short orders do not tell their
 * language.
 */
export function isRemoval(said: string): boolean {
  return Object.values(VOCABULARY).some(({ removal }) => removal.test(said))
}
