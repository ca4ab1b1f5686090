import { z } from 'zod'
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

const Request = z.object({
  context_id: z.string(),
  model_id: z.string(),
  transcript: z.string(),
  voice: z.union([z.string(), z.object({ id: z.string() })]),
  language: z.string().nullish(),
  output_format: z.object({
    container: z.literal('raw'),
    encoding: z.literal('pcm_mulaw'),
    sample_rate: z.literal(8000),
  }),
  add_timestamps: z.boolean().nullish(),
  continue: z.boolean().nullish(),
})
type Request = z.output<typeof Request>
const Cancel = z.object({ context_id: z.string(), cancel: z.literal(true) })

/** Cartesia's text to speech over a socket, on this machine; mu-law of 8 kHz alone. */
export function startCartesiaFarEnd(apiKey = 'sk_car_test'): Promise<MouthFarEnd> {
  return startMouthFarEnd(
    {
      // Browsers, which cannot set headers of a socket, show the key in the query.
      isAllowed: (asked, far) =>
        (asked.headers.authorization ?? `Bearer ${urlOf(asked).searchParams.get('api_key')}`) ===
        `Bearer ${far.apiKey}`,
      answer: (asked, response) =>
        urlOf(asked).pathname === '/voices'
          ? json(response, 200, { data: [{ id: 'voice', name: 'A voice', language: 'en' }], has_more: false })
          : json(response, 404, { title: 'Not found' }),
      isSocketPath: (path) => path === '/tts/websocket',
      socket: (socket, _, far) => {
        const contexts = new Map<string, AskedText>()
        socket.on('message', (data) => take(socket, far, contexts, messageOf(data)))
        socket.on('close', () => {
          for (const asked of contexts.values()) if (asked.state === 'speaking') asked.state = 'lost'
        })
      },
    },
    apiKey,
  )
}

function take(socket: WebSocket, far: Far, contexts: Map<string, AskedText>, message: unknown): void {
  const cancel = Cancel.safeParse(message)
  if (cancel.success) {
    const { context_id } = cancel.data
    const asked = contexts.get(context_id)
    if (asked?.state !== 'speaking') return
    asked.state = 'cancelled'
    return send(socket, { type: 'done', done: true, status_code: 206, context_id }, false)
  }
  const request = Request.safeParse(message)
  if (!request.success)
    return send(
      socket,
      { type: 'error', done: true, status_code: 400, title: 'Bad request', message: 'Invalid.' },
      false,
    )
  const { voice, transcript, language = null, context_id } = request.data
  const voiceId = typeof voice === 'string' ? voice : voice.id
  if (voiceId === 'unknown')
    return send(
      socket,
      { type: 'error', done: true, status_code: 404, title: 'Voice not found', message: 'Voice not found', context_id },
      false,
    )
  const fault = far.faults.take('text')
  const asked: AskedText = { text: transcript, voice: voiceId, language, sent: 0, state: 'speaking' }
  contexts.set(context_id, asked)
  far.texts.push(asked)
  void speakOn(wireOf(socket, request.data, fault), asked, fault)
}

function wireOf(socket: WebSocket, { context_id, transcript, add_timestamps }: Request, fault: TextFault | null): Wire {
  const odd = fault?.how === 'odd'
  const common = { context_id, status_code: 206, done: false }
  const chunk = (audio: Uint8Array, id: string) => ({
    ...common,
    type: 'chunk',
    context_id: id,
    data: Buffer.from(audio).toString('base64'),
    step_time: 1,
  })
  return {
    audio(audio, words) {
      const times = {
        ...common,
        type: 'timestamps',
        word_timestamps: {
          words: words.map(({ fromChar, toChar }) => transcript.slice(fromChar, toChar)),
          start: words.map(({ endMs }) => Math.max(0, endMs - 100) / 1000),
          end: words.map(({ endMs }) => endMs / 1000),
        },
      }
      const messages = [...(add_timestamps && words.length > 0 ? [times] : []), chunk(audio, context_id)]
      if (fault?.how !== 'disordered') messages.reverse()
      for (const message of messages) send(socket, message, odd)
    },
    done: () => send(socket, { ...common, type: 'done', done: true }, odd),
    error: (message, code) =>
      send(socket, { type: 'error', done: true, status_code: code, title: message, message, context_id }, odd),
    stray: (audio) => send(socket, chunk(audio, 'nobody'), odd),
    garbage: () => socket.send('{"type": "chunk", "da', { binary: false }),
    drop: () => socket.terminate(),
  }
}
