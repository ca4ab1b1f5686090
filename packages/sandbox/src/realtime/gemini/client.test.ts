import { GoogleGenAI, type LiveServerMessage, Modality } from '@google/genai'
import { afterEach, describe, expect, it } from 'vitest'
import type { Step } from '../script.ts'
import { startGeminiLive } from './index.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** The vendor's own client. */
async function connected(steps: readonly Step[]) {
  const far = await startGeminiLive({ answers: () => steps, callee: () => 'Hello there' })
  const client = new GoogleGenAI({ apiKey: far.apiKey, httpOptions: { baseUrl: far.url.replace('/v1beta', '') } })
  const messages: LiveServerMessage[] = []
  const session = await client.live.connect({
    model: 'gemini-live',
    config: {
      responseModalities: [Modality.AUDIO],
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
      inputAudioTranscription: {},
      outputAudioTranscription: {},
    },
    callbacks: { onmessage: (message) => void messages.push(message) },
  })
  open.push(session, far)
  return { far, session, messages }
}

const done = (messages: readonly LiveServerMessage[]) =>
  expect.poll(() => messages.some(({ serverContent }) => serverContent?.turnComplete === true)).toBe(true)

describe("the vendor's own client", () => {
  it('hears sound and words, and their end', async () => {
    const { far, session, messages } = await connected([{ say: 'Good morning' }])
    const loud = Buffer.from(Int16Array.from({ length: 9600 }, (_, at) => (at % 32 < 16 ? 8000 : -8000)).buffer)
    session.sendRealtimeInput({ activityStart: {} })
    session.sendRealtimeInput({ audio: { mimeType: 'audio/pcm;rate=16000', data: loud.toString('base64') } })
    session.sendRealtimeInput({ activityEnd: {} })
    await done(messages)
    const said = messages.map(({ serverContent }) => serverContent?.outputTranscription?.text ?? '').join('')
    const heard = messages.map(({ serverContent }) => serverContent?.inputTranscription?.text ?? '').join('')
    expect({ said, heard }).toEqual({ said: 'Good morning', heard: 'Hello there' })
    expect(messages.some(({ data }) => data !== undefined)).toBe(true)
    expect(far.session.refusals).toEqual([])
  })

  it('calls functions and takes their answers', async () => {
    const { far, session, messages } = await connected([{ call: 'wait', with: { seconds: 3 } }])
    session.sendRealtimeInput({ activityStart: {} })
    session.sendRealtimeInput({ text: 'Hold on.' })
    session.sendRealtimeInput({ activityEnd: {} })
    await done(messages)
    const call = messages.flatMap(({ toolCall }) => toolCall?.functionCalls ?? [])[0]
    expect(call).toMatchObject({ name: 'wait', args: { seconds: 3 } })
    session.sendToolResponse({ functionResponses: [{ id: call?.id ?? '', name: 'wait', response: { result: 'ok' } }] })
    await expect.poll(() => far.session.received.at(-1)).toBe('toolResponse')
  })

  it('is told that the session ends', async () => {
    const { far, messages } = await connected([])
    far.session.goAway()
    await expect.poll(() => messages.at(-1)?.goAway?.timeLeft).toBe('10s')
  })
})
