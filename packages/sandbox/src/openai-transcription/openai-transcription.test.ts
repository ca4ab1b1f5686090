import { connect } from 'node:net'
import { encodeMulaw, FRAME_BYTES } from '@parley/voice-ports'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterEach, describe, expect, it } from 'vitest'
import { SpeechScript } from '../recognition/script.ts'
import { type OpenaiTranscriptionFarEnd, startOpenaiTranscription } from './index.ts'

// The vendor's own client against the far end: what it types is there.

let far: OpenaiTranscriptionFarEnd
afterEach(() => far.close())

const loud = encodeMulaw(Float64Array.from({ length: 8000 }, (_, at) => 9000 * Math.sin(at / 3) * Math.sin(at / 900)))
const frames = Array.from({ length: loud.length / FRAME_BYTES }, (_, at) =>
  Buffer.from(loud.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES)).toString('base64'),
)
const WORDS = [
  { text: 'Yes,', endMs: 300 },
  { text: 'at', endMs: 500 },
  { text: 'eight.', endMs: 900 },
]
const item = { item_id: expect.stringMatching(/^item_/), event_id: expect.stringMatching(/^event_/), content_index: 0 }

/** What the vendor's client hears of one committed second of speech. */
async function heardBy(model: string) {
  far = await startOpenaiTranscription({ script: new SpeechScript([{ text: 'Yes, at eight.', words: WORDS }]) })
  const client = new OpenAI({ apiKey: far.apiKey, baseURL: far.url })
  const socket = new OpenAIRealtimeWS(
    // It knows wss alone: the TLS of it is left out.
    {
      intent: 'transcription',
      options: { createConnection: () => connect(Number(new URL(far.url).port), '127.0.0.1') },
    },
    client,
  )
  const events: { readonly type: string }[] = []
  socket.on('event', (event) => void events.push(event))
  const done = new Promise<void>((resolve) => {
    socket.on('conversation.item.input_audio_transcription.completed', () => resolve())
  })
  await new Promise((resolve) => socket.socket.once('open', resolve))
  socket.send({
    type: 'session.update',
    session: {
      type: 'transcription',
      audio: {
        input: {
          format: { type: 'audio/pcmu' },
          transcription: { model, language: 'en' },
          turn_detection: null,
          noise_reduction: { type: 'near_field' },
        },
      },
    },
  })
  for (const audio of frames) socket.send({ type: 'input_audio_buffer.append', audio })
  socket.send({ type: 'input_audio_buffer.commit' })
  await done
  socket.close()
  return events
}

describe("OpenAI's own client", () => {
  it('hears deltas while somebody speaks, and the whole once it was committed, with every field that it types', async () => {
    const events = await heardBy('gpt-live-transcribe')
    const delta = (text: string) => ({
      type: 'conversation.item.input_audio_transcription.delta',
      ...item,
      delta: text,
      logprobs: null,
    })
    expect(events).toEqual([
      { type: 'session.created', event_id: item.event_id, session: expect.objectContaining({ type: 'transcription' }) },
      {
        type: 'session.updated',
        event_id: item.event_id,
        session: expect.objectContaining({ type: 'transcription', audio: expect.anything() }),
      },
      delta('Yes,'),
      delta(' at'),
      delta(' eight.'),
      { type: 'input_audio_buffer.committed', event_id: item.event_id, item_id: item.item_id, previous_item_id: null },
      {
        type: 'conversation.item.input_audio_transcription.completed',
        ...item,
        transcript: 'Yes, at eight.',
        usage: { type: 'duration', seconds: 1 },
        logprobs: null,
      },
    ])
  })

  it('hears deltas after the commit from a model that does not stream, and which language it is', async () => {
    const events = await heardBy('gpt-transcribe')
    const types = events.map(({ type }) => type.split('.').at(-1))
    expect(types).toEqual(['created', 'updated', 'committed', 'delta', 'delta', 'delta', 'completed'])
    expect(events.at(-1)).toMatchObject({ languages: [{ code: 'en' }] })
  })

  it('lists models, and is refused with another key', async () => {
    far = await startOpenaiTranscription()
    const models = await new OpenAI({ apiKey: far.apiKey, baseURL: far.url }).models.list()
    expect(models.data.map(({ id }) => id)).toContain('gpt-live-transcribe')
    const other = new OpenAI({ apiKey: 'wrong', baseURL: far.url, maxRetries: 0 })
    await expect(other.models.list()).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
  })
})
