import { createContext } from 'react'

/** Whether the page began here: then a frame stands there already (Frame.tsx), and what follows is drawn in steps. */
export const ColdStart = createContext(false)

let isUnderWay = false

/** Until something has been drawn. Who looks may be known by then, or not. */
export function isBeginning(): boolean {
  return !isUnderWay
}

export function begun(): void {
  isUnderWay = true
}
