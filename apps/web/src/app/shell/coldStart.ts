import { createContext } from 'react'

/**
 * Whether the page started at this screen: then its frame is on the page already (Frame.tsx), and the rest is drawn
 * in steps.
 */
export const ColdStart = createContext(false)

let isUnderWay = false

/** True until the first paint; the session may or may not be known by then. */
export function isBeginning(): boolean {
  return !isUnderWay
}

export function begun(): void {
  isUnderWay = true
}
