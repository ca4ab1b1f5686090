import { SAMPLE_RATE_HZ, type SpokenWord, voiceShape } from '@parley/voice-ports'
import type { WebSocket } from 'ws'
import { synthesize } from '../speech/synthetic.ts'
import type { TextFault } from './faults.ts'
import type { AskedText } from './server.ts'

const STRETCH_BYTES = 1600
const ODD_BYTES = 333

/** How a vendor puts it on its wire. */
export interface Wire {
  audio(audio: Uint8Array, words: readonly SpokenWord[], startMs: number): void
  done(): void
  error(message: string, code: number): void
  /** Sound that nobody asked for. */
  stray(audio: Uint8Array): void
  garbage(): void
  drop(): void
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const msOf = (bytes: number) => (bytes * 1000) / SAMPLE_RATE_HZ

/** Speaks a text in stretches, as fast as the event loop goes, until it is cancelled or a fault ends it. */
export async function speakOn(wire: Wire, asked: AskedText, fault: TextFault | null): Promise<void> {
  const { audio, words } = synthesize(asked.text, voiceShape('default'))
  if (fault?.how === 'late') await new Promise<void>((resolve) => setTimeout(resolve, fault.ms))
  if (fault?.how === 'error') {
    asked.state = 'lost'
    return wire.error(fault.message, fault.code)
  }
  const endBytes = fault && 'afterMs' in fault ? (fault.afterMs * SAMPLE_RATE_HZ) / 1000 : Infinity
  const size = fault?.how === 'odd' ? ODD_BYTES : STRETCH_BYTES
  for (let at = 0; at < audio.length && fault?.how !== 'empty'; at += size) {
    await turn()
    // Cancelled meanwhile.
    if (stateOf(asked) !== 'speaking') return
    const until = Math.min(audio.length, at + size, endBytes)
    if (until > at) {
      const over = words.filter(({ endMs }) => endMs > msOf(at) && endMs <= msOf(until))
      if (fault?.how === 'disordered') wire.stray(audio.subarray(at, until))
      wire.audio(audio.slice(at, until), over, msOf(at))
      asked.sent++
    }
    if (at + size < endBytes) continue
    asked.state = 'lost'
    if (fault?.how === 'dropped') wire.drop()
    if (fault?.how === 'garbage') wire.garbage()
    return
  }
  await turn()
  if (stateOf(asked) !== 'speaking') return
  asked.state = 'done'
  wire.done()
}

/** It changes while others run. */
const stateOf = ({ state }: AskedText): AskedText['state'] => state

/** `odd`: the message in several frames. */
export function send(socket: WebSocket, message: object | Uint8Array, odd: boolean): void {
  if (socket.readyState !== socket.OPEN) return
  const isBinary = message instanceof Uint8Array
  const data = isBinary ? Buffer.from(message) : Buffer.from(JSON.stringify(message))
  if (!odd) return socket.send(data, { binary: isBinary })
  const half = Math.ceil(data.length / 2)
  socket.send(data.subarray(0, half), { binary: isBinary, fin: false })
  socket.send(data.subarray(half), { binary: isBinary, fin: true })
}
