import { z } from 'zod'
import type { SpokenWord } from '@parley/voice-ports'
import type { WebSocket } from 'ws'
import type { TextFault } from '../mouths/faults.ts'
import {
  type AskedText,
  type Far,
  json,
  messageOf,
  type MouthFarEnd,
  startMouthFarEnd,
  urlOf,
} from '../mouths/server.ts'
import { send, speakOn, type Wire } from '../mouths/speaking.ts'

const CONTEXTS_MAX = 5
const SOCKET_PATH = /^\/v1\/text-to-speech\/([^/]+)\/multi-stream-input$/

const Message = z.object({
  text: z.string().nullish(),
  context_id: z.string().optional(),
  contextId: z.string().optional(),
  flush: z.boolean().optional(),
  close_context: z.boolean().optional(),
  close_socket: z.boolean().optional(),
  voice_settings: z.object({ stability: z.number().optional(), similarity_boost: z.number().optional() }).optional(),
  'xi-api-key': z.string().optional(),
})

interface Context {
  readonly id: string
  buffered: string
  asked: AskedText | null
  closing: boolean
}

/** ElevenLabs' text to speech with several contexts on one socket, on this machine. */
export function startElevenLabsFarEnd(apiKey = 'sk_elevenlabs_test'): Promise<MouthFarEnd> {
  return startMouthFarEnd(
    {
      isAllowed: (asked, far) => asked.headers['xi-api-key'] === far.apiKey,
      answer: (asked, response) =>
        urlOf(asked).pathname === '/v1/models'
          ? json(response, 200, [
              { model_id: 'eleven_flash_v2_5', name: 'Flash v2.5', can_do_text_to_speech: true, languages: [] },
            ])
          : json(response, 404, { detail: { status: 'not_found' } }),
      isSocketPath: (path) => SOCKET_PATH.test(path),
      socket: (socket, url, far) => new Connection(socket, url, far),
    },
    apiKey,
  )
}

class Connection {
  readonly #socket: WebSocket
  readonly #far: Far
  readonly #voice: string
  readonly #language: string | null
  readonly #contexts = new Map<string, Context>()

  constructor(socket: WebSocket, url: URL, far: Far) {
    this.#socket = socket
    this.#far = far
    this.#voice = decodeURIComponent(SOCKET_PATH.exec(url.pathname)?.[1] ?? '')
    this.#language = url.searchParams.get('language_code')
    if (url.searchParams.get('output_format') !== 'ulaw_8000') socket.close(1008, 'output_format is not supported here')
    if (this.#voice === '' || this.#voice === 'unknown')
      socket.close(1008, `A voice with voice_id ${this.#voice} does not exist.`)
    socket.on('message', (data) => this.#take(messageOf(data)))
    socket.on('close', () => this.#lose())
  }

  #take(said: unknown): void {
    const message = Message.safeParse(said)
    if (!message.success) return this.#socket.close(1008, 'Invalid message received.')
    const { data } = message
    if (data.close_socket) return this.#socket.close(1000)
    const id = data.context_id ?? data.contextId ?? 'default'
    const context = this.#contexts.get(id) ?? (data.close_context ? null : this.#open(id))
    if (!context) return
    if (data.text != null) context.buffered += data.text
    if (data.flush) this.#speak(context)
    if (data.close_context) this.#close(context)
  }

  #open(id: string): Context | null {
    if (this.#contexts.size >= CONTEXTS_MAX) {
      send(
        this.#socket,
        { error: 'max_active_contexts', message: 'Too many contexts.', code: 1008, contextId: id },
        false,
      )
      return null
    }
    const context: Context = { id, buffered: '', asked: null, closing: false }
    this.#contexts.set(id, context)
    return context
  }

  #speak(context: Context): void {
    const text = context.buffered.trim()
    context.buffered = ''
    if (text === '' || context.asked) return
    const fault = this.#far.faults.take('text')
    const asked: AskedText = { text, voice: this.#voice, language: this.#language, sent: 0, state: 'speaking' }
    context.asked = asked
    this.#far.texts.push(asked)
    void speakOn(this.#wire(context, text, fault), asked, fault)
  }

  /** A context that is closed while it speaks ends at once when that is asked for a second time. */
  #close(context: Context): void {
    if (context.asked?.state === 'speaking' && !context.closing) {
      context.closing = true
      return
    }
    if (context.asked?.state === 'speaking') context.asked.state = 'cancelled'
    this.#contexts.delete(context.id)
    send(this.#socket, { isFinal: true, contextId: context.id }, false)
  }

  #wire(context: Context, text: string, fault: TextFault | null): Wire {
    const odd = fault?.how === 'odd'
    let spokenChars = 0
    const final = () => {
      this.#contexts.delete(context.id)
      send(this.#socket, { isFinal: true, contextId: context.id }, odd)
    }
    return {
      audio: (audio, words, startMs) => {
        const alignment = alignmentOf(text, spokenChars, words, startMs)
        spokenChars = words.at(-1)?.toChar ?? spokenChars
        const message = { audio: base64(audio), isFinal: null, contextId: context.id }
        if (fault?.how !== 'disordered')
          return send(this.#socket, { ...message, normalizedAlignment: alignment, alignment }, odd)
        send(this.#socket, { audio: null, contextId: context.id, alignment }, odd)
        send(this.#socket, message, odd)
      },
      done: final,
      error: (error, code) => send(this.#socket, { error, code, message: error, contextId: context.id }, odd),
      stray: (audio) => send(this.#socket, { audio: base64(audio), contextId: 'nobody' }, odd),
      garbage: () => this.#socket.send('{"audio": "not ba', { binary: false }),
      drop: () => this.#socket.terminate(),
    }
  }

  #lose(): void {
    for (const { asked } of this.#contexts.values()) if (asked?.state === 'speaking') asked.state = 'lost'
    this.#contexts.clear()
  }
}

const base64 = (audio: Uint8Array) => Buffer.from(audio).toString('base64')

/** Each letter with its time, from the beginning of this stretch; null where no word ends in it. */
function alignmentOf(text: string, fromChar: number, words: readonly SpokenWord[], startMs: number) {
  const chars: string[] = []
  const charStartTimesMs: number[] = []
  const charDurationsMs: number[] = []
  let from = fromChar
  let at = 0
  for (const { toChar, endMs } of words) {
    const letters = text.slice(from, toChar).split('')
    const each = Math.max(0, endMs - startMs - at) / letters.length
    for (const letter of letters) {
      chars.push(letter)
      charStartTimesMs.push(Math.round(at))
      charDurationsMs.push(Math.round(each))
      at += each
    }
    from = toChar
  }
  return words.length === 0 ? null : { chars, charStartTimesMs, charDurationsMs }
}
