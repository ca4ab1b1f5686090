import type { IncomingMessage, ServerResponse } from 'node:http'
import { decodeMulaw, resample } from '@parley/voice-ports'
import { z } from 'zod'
import {
  type AskedText,
  bodyOf,
  failed,
  type Far,
  json,
  type MouthFarEnd,
  startMouthFarEnd,
  urlOf,
} from '../mouths/server.ts'
import { speakOn } from '../mouths/speaking.ts'

const PCM_RATE_HZ = 24_000
const Body = z.object({
  model: z.string().min(1),
  voice: z.string().min(1),
  input: z.string().min(1).max(4096),
  response_format: z.literal('pcm'),
})

/** OpenAI's text to speech over HTTP, on this machine; its `pcm` alone. The address needs `/v1` behind it. */
export function startOpenAiSpeechFarEnd(apiKey = 'sk-openai-test'): Promise<MouthFarEnd> {
  return startMouthFarEnd(
    {
      isAllowed: ({ headers }, far) => headers.authorization === `Bearer ${far.apiKey}`,
      answer,
      isSocketPath: () => false,
      socket: null,
    },
    apiKey,
  )
}

async function answer(asked: IncomingMessage, response: ServerResponse, far: Far): Promise<void> {
  const { pathname } = urlOf(asked)
  if (pathname === '/v1/models') return json(response, 200, { object: 'list', data: [] })
  if (pathname !== '/v1/audio/speech') return json(response, 404, { error: { message: 'Unknown path' } })
  const body = Body.safeParse(JSON.parse(await bodyOf(asked)))
  if (failed(far.faults.take('connect'), asked, response)) return
  if (!body.success)
    return json(response, 400, { error: { message: 'Invalid request', type: 'invalid_request_error' } })
  const text: AskedText = { text: body.data.input, voice: body.data.voice, language: null, sent: 0, state: 'speaking' }
  far.texts.push(text)
  response.on('close', () => {
    if (text.state === 'speaking') text.state = 'cancelled'
  })
  const fault = far.faults.take('text')
  // A header goes out with the first sound, as from the vendor.
  const start = () => {
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'audio/pcm' })
  }
  const wire = {
    audio(audio: Uint8Array) {
      start()
      const samples = resample(decodeMulaw(audio), 8000, PCM_RATE_HZ)
      const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
      const split = fault?.how === 'odd' ? 1001 : bytes.length
      response.write(bytes.subarray(0, split))
      if (split < bytes.length) response.write(bytes.subarray(split))
    },
    done() {
      start()
      response.end()
    },
    error: (message: string, code: number) => json(response, code, { error: { message } }),
    stray: () => undefined,
    garbage: () => asked.socket.end('garbage'),
    drop: () => asked.socket.resetAndDestroy(),
  }
  await speakOn(wire, text, fault)
}
