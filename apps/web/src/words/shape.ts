import type * as en from './en/index.ts'

/** The type of a catalogue section in any language: the English keys and parameters. */
type Wording<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends (...args: infer Args) => string
        ? (...args: Args) => string
        : { readonly [Key in keyof T]: Wording<T[Key]> }

/** The catalogue, one section per room. Each language is a folder of this shape. */
export type Words = Wording<typeof en>
