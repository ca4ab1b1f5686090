import { z } from 'zod'
import type { WebSocket } from 'ws'
import {
  type AskedText,
  type Far,
  json,
  messageOf,
  type MouthFarEnd,
  startMouthFarEnd,
  urlOf,
} from '../mouths/server.ts'
import { send, speakOn } from '../mouths/speaking.ts'

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('Speak'), text: z.string().max(2000) }),
  z.object({ type: z.literal('Flush') }),
  z.object({ type: z.literal('Clear') }),
  z.object({ type: z.literal('Close') }),
])
const FLUSHES_A_MINUTE = 20

/** Deepgram's text to speech over a socket, on this machine; mu-law of 8 kHz alone. */
export function startDeepgramSpeakFarEnd(apiKey = 'deepgram-test'): Promise<MouthFarEnd> {
  return startMouthFarEnd(
    {
      isAllowed: ({ headers }, far) => headers.authorization?.toLowerCase() === `token ${far.apiKey}`,
      answer: (asked, response) =>
        urlOf(asked).pathname === '/v1/auth/token'
          ? json(response, 200, { api_key_id: 'key', scopes: ['usage:write'], created: '2026-01-01T00:00:00Z' })
          : json(response, 404, { err_code: 'NOT_FOUND' }),
      isSocketPath: (path) => path === '/v1/speak',
      socket: (socket, url, far) => new Connection(socket, url, far),
    },
    apiKey,
  )
}

/** Speaks what is flushed, one after the other. */
class Connection {
  readonly #socket: WebSocket
  readonly #far: Far
  readonly #model: string
  #buffered = ''
  #queue: Promise<void> = Promise.resolve()
  #asked: AskedText[] = []
  #flushes = 0

  constructor(socket: WebSocket, url: URL, far: Far) {
    this.#socket = socket
    this.#far = far
    this.#model = url.searchParams.get('model') ?? ''
    const { searchParams: query } = url
    if (query.get('encoding') !== 'mulaw' || query.get('sample_rate') !== '8000')
      socket.close(1008, 'Unsupported encoding')
    if (!/^aura-2-[a-z]+-[a-z]{2}$/.test(this.#model)) socket.close(1008, 'Unknown model')
    this.#say({
      type: 'Metadata',
      request_id: 'request',
      model_name: this.#model,
      model_version: '1',
      model_uuid: 'model',
    })
    socket.on('message', (data) => this.#take(messageOf(data)))
    socket.on('close', () => this.#end('lost'))
  }

  #take(said: unknown): void {
    const message = Message.safeParse(said)
    if (!message.success) return this.#socket.close(1008, 'DATA-0000')
    switch (message.data.type) {
      case 'Speak':
        this.#buffered += message.data.text
        return
      case 'Flush':
        return this.#flush()
      case 'Clear':
        this.#buffered = ''
        this.#end('cancelled')
        return this.#say({ type: 'Cleared', sequence_id: this.#flushes })
      case 'Close':
        return this.#socket.close(1000)
    }
  }

  #flush(): void {
    const number = this.#flushes++
    if (number >= FLUSHES_A_MINUTE)
      return this.#say({ type: 'Warning', code: 'EXCESSIVE_FLUSH', description: 'Too many flushes in a minute.' })
    const text = this.#buffered
    this.#buffered = ''
    const fault = this.#far.faults.take('text')
    const odd = fault?.how === 'odd'
    const asked: AskedText = { text, voice: this.#model, language: null, sent: 0, state: 'speaking' }
    this.#asked.push(asked)
    this.#far.texts.push(asked)
    const wire = {
      audio: (audio: Uint8Array) => send(this.#socket, audio, odd),
      done: () => this.#say({ type: 'Flushed', sequence_id: number }),
      error: (description: string, code: number) => this.#say({ type: 'Error', description, code: String(code) }),
      // It has one stream of sound: a message of a kind that nobody knows comes between.
      stray: () => this.#say({ type: 'SomethingNew' }),
      garbage: () => this.#socket.send('{"type": "Flu', { binary: false }),
      drop: () => this.#socket.terminate(),
    }
    this.#queue = this.#queue.then(() => (asked.state === 'speaking' ? speakOn(wire, asked, fault) : undefined))
  }

  #say(message: object): void {
    send(this.#socket, message, false)
  }

  #end(state: 'cancelled' | 'lost'): void {
    for (const asked of this.#asked) if (asked.state === 'speaking') asked.state = state
    this.#asked = []
  }
}
