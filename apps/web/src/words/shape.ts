import type * as en from './en/index.ts'

/** The shape of a part of the catalogue in any language: the English one's keys and parameters, and any sentences. */
type Wording<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends boolean
      ? boolean
      : T extends (...args: infer Args) => string
        ? (...args: Args) => string
        : { readonly [Key in keyof T]: Wording<T[Key]> }

/** Every sentence the page can say, a section a room. A language is a folder of this shape. */
export type Words = Wording<typeof en>
