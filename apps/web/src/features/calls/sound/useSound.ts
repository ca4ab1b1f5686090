import { useSyncExternalStore } from 'react'
import { SoundSocket, type SoundState } from './soundSocket.ts'

/** Listening in, and speaking in the agent's place. */
export const audio = new SoundSocket('audio')
/** The telephone of a call to ...555 0199. */
export const phone = new SoundSocket('answer')

/** The line's state where it is this call's. */
export function useSound(line: SoundSocket, callId: string): SoundState | null {
  const state = useSyncExternalStore(
    (watcher) => line.watch(watcher),
    () => line.state,
  )
  return state?.callId === callId ? state : null
}
