import { useSyncExternalStore } from 'react'
import { SoundSocket, type SoundState } from './soundSocket.ts'

/** Listening in, and speaking instead of the agent. */
export const audio = new SoundSocket('audio')
/** The phone of a call to ...555 0199. */
export const phone = new SoundSocket('answer')

/** The socket's state if it belongs to this call. */
export function useSound(socket: SoundSocket, callId: string): SoundState | null {
  const state = useSyncExternalStore(
    (watcher) => socket.watch(watcher),
    () => socket.state,
  )
  return state?.callId === callId ? state : null
}
