import { useStore } from 'zustand'
import { Line, type LineState } from './line.ts'

/** Listening in, and speaking in the agent's place. */
export const audio = new Line('audio')
/** The telephone of a call to ...555 0199. */
export const phone = new Line('answer')

/** The line's state where it is this call's. */
export function useLine(line: Line, callId: string): LineState | null {
  return useStore(line.state, ({ now }) => (now?.callId === callId ? now : null))
}
