import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { messageOf, type MouthFarEnd } from '../mouths/server.ts'
import { startElevenLabsFarEnd } from './index.ts'

let far: MouthFarEnd
beforeAll(async () => {
  far = await startElevenLabsFarEnd()
})
afterAll(() => far.close())

interface Said {
  readonly audio?: string | null
  readonly isFinal?: boolean | null
  readonly contextId?: string
  readonly error?: string
  readonly alignment?: { readonly chars: string[]; readonly charStartTimesMs: number[] } | null
}

async function talk(messages: readonly object[], until: (said: readonly Said[]) => boolean): Promise<Said[]> {
  const url = `${far.url.replace('http', 'ws')}/v1/text-to-speech/voice/multi-stream-input?output_format=ulaw_8000`
  const socket = new WebSocket(url, { headers: { 'xi-api-key': far.apiKey } })
  const said: Said[] = []
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('open', () => messages.forEach((message) => socket.send(JSON.stringify(message))))
    socket.on('message', (data) => {
      said.push(messageOf(data) as Said)
      if (until(said)) resolve()
    })
  })
  socket.close()
  return said
}

const finals = (said: readonly Said[]) => said.filter(({ isFinal }) => isFinal).length

// Field names are those of the vendor's package, @elevenlabs/elevenlabs-js 2.73.0, which has no client for its sockets.
const models = (apiKey = far.apiKey) => fetch(`${far.url}/v1/models`, { headers: { 'xi-api-key': apiKey } })

describe('the far end of ElevenLabs', () => {
  it('lists models to a key that it knows, and refuses another', async () => {
    const answer = await models()
    expect(answer.status).toBe(200)
    const [model] = (await answer.json()) as object[]
    expect(model).toMatchObject({ model_id: 'eleven_flash_v2_5', can_do_text_to_speech: true, languages: [] })
    expect((await models('wrong')).status).toBe(401)
  })
})

describe('the sockets of the far end of ElevenLabs', () => {
  it('speak a context with the time of each letter, and end it when it is closed', async () => {
    const text = 'Two tables, please.'
    const said = await talk(
      [
        { text: ' ', context_id: 'a' },
        { text: `${text} `, context_id: 'a', flush: true },
        { context_id: 'a', close_context: true },
      ],
      (all) => finals(all) === 1,
    )
    expect(said.flatMap(({ alignment }) => alignment?.chars ?? []).join('')).toBe(text)
    expect(said.every(({ contextId }) => contextId === 'a')).toBe(true)
    const bytes = said.reduce((sum, { audio }) => sum + Buffer.from(audio ?? '', 'base64').length, 0)
    expect(bytes).toBeGreaterThan(8000)
  })

  it('speak several contexts at once, and refuse a sixth', async () => {
    const open = Array.from({ length: 6 }, (_, at) => ({ text: ' ', context_id: `c${at}` }))
    const [refused] = await talk(open, (said) => said.length > 0)
    expect(refused).toMatchObject({ error: 'max_active_contexts', contextId: 'c5' })
  })
})
