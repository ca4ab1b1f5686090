import { SOUND_PATHS, SOUND_SIDES, pathOf, type SoundKind, type PhoneMessage } from '@parley/contract'
import { createStore } from 'zustand/vanilla'
import { platform } from '../../../lib/platform/index.ts'
import { openMicrophone, Speaker } from './audio.ts'

/** The state of a sound socket: its call, whether it is open, and whether the microphone is on. */
export interface SoundState {
  readonly callId: string
  readonly stage: 'connecting' | 'open'
  readonly microphone: boolean
}

type Ended = 'left' | 'over' | 'lost'

/** The sound of one call at a time: listening in, or the phone of the user's own number. */
export class SoundSocket {
  readonly state = createStore<{ readonly now: SoundState | null }>()(() => ({ now: null }))
  readonly #kind: SoundKind
  #socket: WebSocket | undefined
  #speaker: Speaker | undefined
  #closeMicrophone: (() => void) | undefined
  #onEnd: (ended: Ended) => void = () => undefined

  constructor(kind: SoundKind) {
    this.#kind = kind
  }

  /** Call it in a click handler. Resolves when the server is ready; rejects when it cannot connect. */
  async open(callId: string, onEnd: (ended: Ended) => void = () => undefined): Promise<void> {
    this.close()
    const speaker = new Speaker(Object.values(SOUND_SIDES))
    this.#speaker = speaker
    this.#onEnd = onEnd
    this.#set({ callId, stage: 'connecting', microphone: false })
    const url = await this.#urlOf(callId, speaker)
    // Closed meanwhile, or opened for another call.
    if (speaker !== this.#speaker) return
    const socket = new WebSocket(url)
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#end(code === 1000 ? 'over' : 'lost')
    })
    await Promise.all([speaker.ready, this.#ready(socket)]).catch((error: unknown) => {
      if (socket === this.#socket) this.#end('lost')
      throw error
    })
    if (socket === this.#socket) this.#set({ callId, stage: 'open', microphone: false })
  }

  /** Turns the microphone on; rejects when there is none or it is denied. */
  async speak(): Promise<void> {
    const socket = this.#socket
    if (!socket || this.#closeMicrophone) return
    const close = await openMicrophone((frame) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(frame)
    })
    if (socket !== this.#socket) return close()
    this.#closeMicrophone = close
    this.#setMicrophone(true)
  }

  quiet(): void {
    this.#closeMicrophone?.()
    this.#closeMicrophone = undefined
    this.#setMicrophone(false)
  }

  send(message: PhoneMessage): void {
    this.#socket?.send(JSON.stringify(message))
  }

  close(): void {
    if (this.#speaker) this.#end('left')
  }

  async #urlOf(callId: string, speaker: Speaker): Promise<string> {
    try {
      return await platform().socketUrl(pathOf({ path: SOUND_PATHS[this.#kind] }, { id: callId }))
    } catch (error) {
      if (speaker === this.#speaker) this.#end('lost')
      throw error
    }
  }

  #ready(socket: WebSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.addEventListener('close', ({ reason }) => reject(new Error(reason)))
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (data instanceof ArrayBuffer) this.#play(socket, new Uint8Array(data))
        // The only text message on this socket reports it as ready.
        else resolve()
      })
    })
  }

  /** With the microphone on, the agent's side would play the user's own voice back. */
  #play(socket: WebSocket, message: Uint8Array): void {
    const side = message[0]
    const isOwnVoice = this.#kind === 'audio' && side === SOUND_SIDES.agent && this.#closeMicrophone !== undefined
    if (socket === this.#socket && side !== undefined && !isOwnVoice) this.#speaker?.play(side, message.subarray(1))
  }

  #end(ended: Ended): void {
    const socket = this.#socket
    const wasOpen = this.state.getState().now?.stage === 'open'
    this.quiet()
    this.#socket = undefined
    this.#speaker?.close()
    this.#speaker = undefined
    this.#set(null)
    socket?.close()
    // Before that, open() rejects instead.
    if (wasOpen) this.#onEnd(ended)
  }

  #setMicrophone(microphone: boolean): void {
    const { now } = this.state.getState()
    if (now) this.#set({ ...now, microphone })
  }

  #set(now: SoundState | null): void {
    this.state.setState({ now })
  }
}
