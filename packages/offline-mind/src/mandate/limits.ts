import type { Value } from '../hearing/extract.ts'

/** What may be agreed on; thing is whatever no number names: a place, a kind of room. */
export type Kind = 'time' | 'date' | 'money' | 'percent' | 'count' | 'thing'

export interface Bound {
  readonly side: 'least' | 'most'
  /** The value itself is outside. */
  readonly strict: boolean
  readonly value: Value
  /** Of a part of the day, which says nothing more where the hour was asked for: "Friday evening". */
  readonly isPart?: true
}

/** What one part of an order says about how far the agent may go. */
export interface Limits {
  /** Nothing else is agreed to in these. */
  readonly firm: readonly Kind[]
  /** Anything is. */
  readonly free: readonly Kind[]
  readonly bounds: readonly Bound[]
  /** What else may be agreed to, the better first; the values of one belong together. */
  readonly accepted: readonly (readonly Value[])[]
  /** Never agreed to, and never proposed. */
  readonly refused: readonly Value[]
  /** Something was said about these that was not wholly understood: nothing else than what was asked is agreed to. */
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
