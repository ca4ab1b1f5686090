import { useStore } from 'zustand'
import { SoundSocket, type SoundState } from './soundSocket.ts'

/** Listening in, and speaking instead of the agent. */
export const audio = new SoundSocket('audio')
/** The phone of a call to ...555 0199. */
export const phone = new SoundSocket('answer')

/** The socket's state if it belongs to this call. */
export function useSound(socket: SoundSocket, callId: string): SoundState | null {
  return useStore(socket.state, ({ now }) => (now?.callId === callId ? now : null))
}
