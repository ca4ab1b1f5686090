import * as en from './en/index.ts'

/** Every sentence the page can say, a section a room. Another language is another folder of this shape. */
export type Words = typeof en

/** For code outside components. */
export function words(): Words {
  return en
}

export function useWords(): Words {
  return words()
}
