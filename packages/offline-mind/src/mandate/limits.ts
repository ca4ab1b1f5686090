import type { Value } from '../hearing/extract.ts'

/** Kinds of things to agree on; thing is anything without a number: a place, a kind of room. */
export type Kind = 'time' | 'date' | 'money' | 'percent' | 'count' | 'thing'

export interface Bound {
  readonly side: 'least' | 'most'
  /** Excludes the value itself. */
  readonly strict: boolean
  readonly value: Value
  /** From a daypart ("Friday evening"), which adds nothing where the hour was asked for. */
  readonly isDaypart?: true
}

/** The limits that one text of an order sets. */
export interface Limits {
  /** Kinds in which nothing else is agreed to. */
  readonly firm: readonly Kind[]
  /** Kinds in which anything is agreed to. */
  readonly free: readonly Kind[]
  readonly bounds: readonly Bound[]
  /** Acceptable alternatives, best first; the values of one belong together. */
  readonly accepted: readonly (readonly Value[])[]
  /** Never agreed to, and never proposed. */
  readonly refused: readonly Value[]
  /** Kinds with a text not wholly understood: only what was asked is agreed to. */
  readonly doubtful: readonly Kind[]
}

export const NO_LIMITS: Limits = { firm: [], free: [], bounds: [], accepted: [], refused: [], doubtful: [] }

export function joined(all: readonly Limits[]): Limits {
  return {
    firm: all.flatMap(({ firm }) => firm),
    free: all.flatMap(({ free }) => free),
    bounds: all.flatMap(({ bounds }) => bounds),
    accepted: all.flatMap(({ accepted }) => accepted),
    refused: all.flatMap(({ refused }) => refused),
    doubtful: all.flatMap(({ doubtful }) => doubtful),
  }
}

export function isUnlimited({ firm, free, bounds, accepted, refused, doubtful }: Limits): boolean {
  return [firm, free, bounds, accepted, refused, doubtful].every(({ length }) => length === 0)
}
