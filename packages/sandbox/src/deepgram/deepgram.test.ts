import { DeepgramClient } from '@deepgram/sdk'
import { encodeMulaw, FRAME_BYTES } from '@parley/voice-ports'
import { afterEach, describe, expect, it } from 'vitest'
import { SpeechScript } from '../recognition/script.ts'
import { type DeepgramFarEnd, startDeepgramFarEnd } from './index.ts'

// The vendor's own client against the far end: what it types is there.

let far: DeepgramFarEnd
afterEach(() => far.close())

const loud = encodeMulaw(Float64Array.from({ length: 8000 }, (_, at) => 9000 * Math.sin(at / 3) * Math.sin(at / 900)))
const silence = new Uint8Array(8000).fill(0xff)
const frames = (...sounds: Uint8Array[]) => {
  const all = Buffer.concat(sounds)
  return Array.from({ length: all.length / FRAME_BYTES }, (_, at) =>
    all.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES),
  )
}

async function started() {
  far = await startDeepgramFarEnd({ script: new SpeechScript([{ text: 'Yes, at eight.', words: WORDS }]) })
  const url = far.url.replace('http', 'ws')
  const environment = { base: far.url, production: url, agent: url, agentRest: far.url }
  return new DeepgramClient({ apiKey: far.apiKey, environment })
}

const WORDS = [
  { text: 'Yes,', endMs: 300 },
  { text: 'at', endMs: 500 },
  { text: 'eight.', endMs: 900 },
]
const COMMON = { encoding: 'mulaw', sample_rate: 8000, reconnectAttempts: 0 } as const

describe("Deepgram's own client", () => {
  it('hears partials, a final for Finalize and the metadata of /v1/listen, with every field that it types', async () => {
    const client = await started()
    const socket = await client.listen.v1.connect({
      ...COMMON,
      Authorization: `Token ${far.apiKey}`,
      model: 'nova-3',
      language: 'multi',
      interim_results: 'true',
      punctuate: 'true',
      vad_events: 'true',
    })
    const messages: { readonly type?: string }[] = []
    socket.on('message', (message) => void messages.push(message))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.connect()
    await socket.waitForOpen()
    for (const frame of frames(loud, silence)) socket.sendMedia(frame)
    socket.sendFinalize({ type: 'Finalize' })
    socket.sendCloseStream({ type: 'CloseStream' })
    await closed
    expect(messages.map(({ type }) => type)).toContain('SpeechStarted')
    expect(messages.at(-1)).toEqual({
      type: 'Metadata',
      transaction_key: expect.any(String),
      request_id: expect.any(String),
      sha256: expect.any(String),
      created: expect.any(String),
      duration: 2,
      channels: 1,
    })
    const final = messages.find((message) => 'is_final' in message && message.is_final === true)
    expect(final).toEqual({
      type: 'Results',
      channel_index: [0, 1],
      duration: expect.any(Number),
      start: 0,
      is_final: true,
      speech_final: true,
      from_finalize: expect.any(Boolean),
      channel: {
        alternatives: [
          {
            transcript: 'Yes, at eight.',
            confidence: expect.any(Number),
            languages: ['en'],
            words: expect.arrayContaining([
              {
                word: 'yes',
                start: expect.any(Number),
                end: expect.any(Number),
                confidence: expect.any(Number),
                language: 'en',
                punctuated_word: 'Yes,',
              },
            ]),
          },
        ],
      },
      metadata: {
        request_id: expect.any(String),
        model_info: { name: expect.any(String), version: expect.any(String), arch: 'nova-3' },
        model_uuid: expect.any(String),
      },
    })
  })

  it('hears the turns of /v2/listen, with every field that it types', async () => {
    const client = await started()
    const socket = await client.listen.v2.connect({
      ...COMMON,
      Authorization: `Token ${far.apiKey}`,
      model: 'flux-general-multi',
      eager_eot_threshold: 0.5,
      language_hint: ['en'],
    })
    const messages: { readonly type?: string }[] = []
    socket.on('message', (message) => void messages.push(message))
    const closed = new Promise((resolve) => socket.on('close', resolve))
    socket.connect()
    await socket.waitForOpen()
    for (const frame of frames(loud, silence)) socket.sendMedia(frame)
    socket.sendConfigure({ type: 'Configure', language_hints: ['es'] })
    socket.sendCloseStream({ type: 'CloseStream' })
    await closed
    expect(messages[0]).toEqual({ type: 'Connected', request_id: expect.any(String), sequence_id: 0 })
    expect(messages.at(-1)).toMatchObject({ type: 'ConfigureSuccess', language_hints: ['es'] })
    const turns = messages.flatMap((message) => ('event' in message ? [message.event] : []))
    expect(turns.filter((event) => event !== 'Update')).toEqual(['StartOfTurn', 'EagerEndOfTurn', 'EndOfTurn'])
    const ended = messages.find((message) => 'event' in message && message.event === 'EndOfTurn')
    expect(ended).toEqual({
      type: 'TurnInfo',
      request_id: expect.any(String),
      sequence_id: expect.any(Number),
      event: 'EndOfTurn',
      turn_index: 0,
      audio_window_start: 0,
      audio_window_end: expect.any(Number),
      transcript: 'Yes, at eight.',
      words: expect.arrayContaining([
        { word: 'Yes,', confidence: expect.any(Number), start: expect.any(Number), end: expect.any(Number) },
      ]),
      end_of_turn_confidence: expect.any(Number),
      trigger: 'model',
      languages: ['en'],
      languages_hinted: ['en'],
    })
  })

  it('is refused with another key', async () => {
    const client = await started()
    const other = new DeepgramClient({
      apiKey: 'wrong',
      environment: { base: far.url, production: far.url, agent: far.url, agentRest: far.url },
    })
    await expect(other.manage.v1.projects.list()).rejects.toMatchObject({ statusCode: 401 })
    await expect(client.manage.v1.projects.list()).resolves.toMatchObject({ projects: [{ name: 'calls' }] })
  })
})
