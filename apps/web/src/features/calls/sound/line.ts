import { LINE_PATHS, LINE_SIDES, pathOf, type LineKind, type PhoneMessage } from '@parley/contract'
import { createStore } from 'zustand/vanilla'
import { apiUrl } from '../../../lib/native.ts'
import { openMicrophone, Speaker } from './audio.ts'

/**
 * What is known of a line: which call's, whether sound comes, whether the person is heard, and whose sound is played.
 */
export interface LineState {
  readonly callId: string
  readonly stage: 'connecting' | 'open'
  readonly microphone: boolean
}

type Ended = 'left' | 'over' | 'lost'

/** The sound of one call at a time: listening in, or the telephone in the person's hand. */
export class Line {
  readonly state = createStore<{ readonly now: LineState | null }>()(() => ({ now: null }))
  readonly #kind: LineKind
  #socket: WebSocket | undefined
  #speaker: Speaker | undefined
  #closeMicrophone: (() => void) | undefined
  #onEnd: (ended: Ended) => void = () => undefined

  constructor(kind: LineKind) {
    this.#kind = kind
  }

  /** Call it while a button is pressed. Resolves when sound can come; rejects when it never will. */
  async open(callId: string, onEnd: (ended: Ended) => void = () => undefined): Promise<void> {
    this.close()
    const speaker = new Speaker(Object.values(LINE_SIDES))
    const base = apiUrl('') || location.origin
    const socket = new WebSocket(base.replace(/^http/, 'ws') + pathOf({ path: LINE_PATHS[this.#kind] }, { id: callId }))
    socket.binaryType = 'arraybuffer'
    this.#speaker = speaker
    this.#socket = socket
    this.#onEnd = onEnd
    this.#set({ callId, stage: 'connecting', microphone: false })
    socket.addEventListener('close', ({ code }) => {
      if (socket === this.#socket) this.#end(code === 1000 ? 'over' : 'lost')
    })
    await Promise.all([speaker.ready, this.#ready(socket)]).catch((error: unknown) => {
      if (socket === this.#socket) this.#end('lost')
      throw error
    })
    if (socket === this.#socket) this.#set({ callId, stage: 'open', microphone: false })
  }

  /** The person is heard from here on; rejects when the browser has no microphone for us. */
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

  tell(message: PhoneMessage): void {
    this.#socket?.send(JSON.stringify(message))
  }

  close(): void {
    if (this.#socket) this.#end('left')
  }

  #ready(socket: WebSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.addEventListener('close', ({ reason }) => reject(new Error(reason)))
      socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (data instanceof ArrayBuffer) this.#play(socket, new Uint8Array(data))
        // The only words on this line say that it stands.
        else resolve()
      })
    })
  }

  /** With the microphone on, our own side of the call would come back as an echo. */
  #play(socket: WebSocket, message: Uint8Array): void {
    const side = message[0]
    const isOwnVoice = this.#kind === 'audio' && side === LINE_SIDES.agent && this.#closeMicrophone !== undefined
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
    // Before that, open() itself says that it failed.
    if (wasOpen) this.#onEnd(ended)
  }

  #setMicrophone(microphone: boolean): void {
    const { now } = this.state.getState()
    if (now) this.#set({ ...now, microphone })
  }

  #set(now: LineState | null): void {
    this.state.setState({ now })
  }
}
