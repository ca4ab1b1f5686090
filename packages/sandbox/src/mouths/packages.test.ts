import { Cartesia } from '@cartesia/cartesia-js'
import { DeepgramClient } from '@deepgram/sdk'
import OpenAI from 'openai'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startCartesiaFarEnd } from '../cartesia/index.ts'
import { startDeepgramSpeakFarEnd } from '../deepgram-speak/index.ts'
import { startOpenAiSpeechFarEnd } from '../openai-speech/index.ts'
import type { MouthFarEnd } from './server.ts'

// The far ends of vendors' mouths, by the vendors' own packages.

const TEXT = 'Two tables, please.'

async function opened(start: () => Promise<MouthFarEnd>): Promise<MouthFarEnd> {
  const far = await start()
  onTestFinished(() => far.close())
  return far
}

describe('the far end of Cartesia', () => {
  const output = { container: 'raw', encoding: 'pcm_mulaw', sample_rate: 8000 } as const

  it('speaks a context with the times of words, and cancels one', async () => {
    const far = await opened(startCartesiaFarEnd)
    // The package changes every address to one of TLS.
    const protocol = Object.getOwnPropertyDescriptor(URL.prototype, 'protocol')
    const tls = vi.spyOn(URL.prototype, 'protocol', 'set').mockImplementation(function (this: URL, value: string) {
      if (value !== 'wss') protocol?.set?.call(this, value)
    })
    const socket = await new Cartesia({ apiKey: far.apiKey, baseURL: far.url.replace('http', 'ws') }).tts.websocket()
    tls.mockRestore()
    // Of the end, when the far end closes.
    socket.on('error', () => undefined)
    const context = socket.context({ model_id: 'sonic-3', voice: { mode: 'id', id: 'voice' }, output_format: output })
    await context.send({
      model_id: 'sonic-3',
      voice: { mode: 'id', id: 'voice' },
      output_format: output,
      transcript: TEXT,
      add_timestamps: true,
      continue: false,
    })
    const words: string[] = []
    let bytes = 0
    for await (const event of context.receive()) {
      if (event.type === 'timestamps') words.push(...(event.word_timestamps?.words ?? []))
      if (event.type === 'chunk') bytes += event.audio?.length ?? 0
      if (event.type === 'done') break
    }
    expect(words.join(' ')).toBe(TEXT)
    expect(bytes).toBeGreaterThan(8000)
    socket.close()
  })

  it('lists voices to a key that it knows', async () => {
    const far = await opened(startCartesiaFarEnd)
    const page = await new Cartesia({ apiKey: far.apiKey, baseURL: far.url }).voices.list({ limit: 1 })
    expect(page.data).toMatchObject([{ id: 'voice' }])
    const other = new Cartesia({ apiKey: 'wrong', baseURL: far.url, maxRetries: 0 })
    await expect(other.voices.list({ limit: 1 })).rejects.toMatchObject({ status: 401 })
  })
})

describe('the far end of Deepgram', () => {
  it('speaks what is flushed, and clears what is not', async () => {
    const far = await opened(startDeepgramSpeakFarEnd)
    const address = { base: far.url, production: far.url.replace('http', 'ws'), agent: far.url, agentRest: far.url }
    const client = new DeepgramClient({ apiKey: far.apiKey, environment: address })
    const socket = await client.speak.v1.connect({
      Authorization: `Token ${far.apiKey}`,
      model: 'aura-2-thalia-en',
      encoding: 'mulaw',
      sample_rate: '8000',
      reconnectAttempts: 0,
    })
    const said: string[] = []
    let bytes = 0
    socket.on('message', (message) => {
      const size = sizeOf(message)
      if (size === null) said.push(Object(message).type)
      else bytes += size
    })
    socket.connect()
    await socket.waitForOpen()
    socket.sendText({ type: 'Speak', text: TEXT })
    socket.sendFlush({ type: 'Flush' })
    await expect.poll(() => said).toContain('Flushed')
    expect(bytes).toBeGreaterThan(8000)
    socket.sendClear({ type: 'Clear' })
    await expect.poll(() => said).toEqual(['Metadata', 'Flushed', 'Cleared'])
    socket.close()
  })
})

/** The package hands sound over as it came. */
function sizeOf(message: unknown): number | null {
  if (message instanceof ArrayBuffer || ArrayBuffer.isView(message)) return message.byteLength
  return message instanceof Blob ? message.size : null
}

describe('the far end of OpenAI', () => {
  it('speaks in PCM of 24 kHz, and refuses another format', async () => {
    const far = await opened(startOpenAiSpeechFarEnd)
    const client = new OpenAI({ apiKey: far.apiKey, baseURL: `${far.url}/v1`, maxRetries: 0 })
    const asked = { model: 'gpt-4o-mini-tts', voice: 'alloy', input: TEXT } as const
    const answer = await client.audio.speech.create({ ...asked, response_format: 'pcm' })
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(48_000)
    await expect(client.audio.speech.create({ ...asked, response_format: 'mp3' })).rejects.toMatchObject({
      status: 400,
    })
    expect((await client.models.list()).data).toEqual([])
  })
})
