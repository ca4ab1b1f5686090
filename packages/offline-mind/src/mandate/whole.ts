import { marked, type Expecting, type Value } from '../hearing/extract.ts'
import type { Spoken } from '../memory.ts'
import type { Kind } from './limits.ts'
import { VOCABULARY } from './vocabulary.ts'

/** A granting clause is understood only if the grammar knows each of its words. */

export const EVERYTHING: readonly Kind[] = ['time', 'date', 'money', 'percent', 'count', 'thing']

/** The clause with § for each value, without punctuation. */
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

/** Whether every word in the rest of a clause, without its bounds, was understood. */
export function isWhole(rest: string, language: Spoken, hint: Expecting): boolean {
  return GRANTING[language].test(skeleton(rest, language, hint))
}

/** Whether it is "if that is not possible", and not "if my wife comes". */
export function isFailing(said: string, language: Spoken): boolean {
  const bare = skeleton(said, language, 'time')
  return FAILING[language].test(bare) && VOCABULARY[language].failed.test(bare)
}

export function isExclusion(said: string, language: Spoken, hint: Expecting): boolean {
  return VOCABULARY[language].excluding.test(skeleton(said, language, hint))
}

/** Whether the clause only complements the request. */
export function isComplement(said: string, language: Spoken, hint: Expecting): boolean {
  const { complement, restricting, clause } = VOCABULARY[language]
  const bare = skeleton(said, language, hint)
  return complement.test(bare) && !restricting.test(bare) && !clause.test(bare)
}

export function isRange(said: string, language: Spoken, hint: Expecting): boolean {
  return VOCABULARY[language].range.test(skeleton(said, language, hint))
}

/** Whether the clause describes a value without asking for it: "8:30 would be too late". */
export function isAboutValue(said: string, language: Spoken, hint: Expecting): boolean {
  return VOCABULARY[language].predicate.test(skeleton(said, language, hint))
}

/** Index at which a text begins to forbid, exclude or set a condition; -1 without one. */
export function restrictionAt(said: string, language: Spoken): number {
  return said.search(VOCABULARY[language].restricting)
}

/** The kinds that a clause not wholly understood may touch; the agent agrees to nothing in them. */
export function touchedBy(said: string, values: readonly Value[], language: Spoken): Kind[] {
  const named = values.flatMap(({ type }): Kind[] =>
    type === 'digits' || type === 'name' ? [] : type === 'money' || type === 'percent' ? ['money', 'percent'] : [type],
  )
  const spoken = VOCABULARY[language].touching.flatMap(([pattern, kinds]) => (pattern.test(said) ? kinds : []))
  const touched = [...new Set([...named, ...spoken])]
  return touched.length === 0 && restrictionAt(said, language) >= 0 ? [...EVERYTHING] : touched
}

/**
 * Whether something is to be ended, so that no time or price can grant it. Tested in all languages: short orders do not
 * reveal theirs.
 */
export function isRemoval(said: string): boolean {
  return Object.values(VOCABULARY).some(({ removal }) => removal.test(said))
}
