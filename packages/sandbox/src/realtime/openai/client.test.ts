import { connect } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import type { RealtimeServerEvent } from 'openai/resources/realtime/realtime'
import { afterEach, describe, expect, it } from 'vitest'
import { type Step, toneVoice } from '../script.ts'
import { type OpenaiRealtime, startOpenaiRealtime } from './index.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const each of open.splice(0)) await each.close()
})

/** The vendor's own client, which knows TLS alone, over a plain socket. */
async function connected(steps: readonly Step[]): Promise<{
  far: OpenaiRealtime
  client: OpenAIRealtimeWS
  events: RealtimeServerEvent[]
}> {
  const far = await startOpenaiRealtime({ answers: () => steps, callee: () => 'Hello there' })
  const sdk = new OpenAI({ apiKey: far.apiKey, baseURL: far.url })
  const { hostname: host, port } = new URL(far.url)
  const address = { host, port: Number(port), createConnection: connect }
  const client = new OpenAIRealtimeWS({ model: 'gpt-realtime', options: address }, sdk)
  const events: RealtimeServerEvent[] = []
  client.on('event', (event) => void events.push(event))
  client.on('error', () => undefined)
  open.push(client, far)
  await expect.poll(() => events.length).toBeGreaterThan(0)
  return { far, client, events }
}

const done = (events: readonly RealtimeServerEvent[]) => expect.poll(() => events.at(-1)?.type).toBe('response.done')

describe("the vendor's own client", () => {
  it('lists the models', async () => {
    const far = await startOpenaiRealtime({ answers: () => [] })
    open.push(far)
    const models = await new OpenAI({ apiKey: far.apiKey, baseURL: far.url, maxRetries: 0 }).models.list()
    expect(models.data.map(({ id }) => id)).toEqual(['gpt-realtime'])
  })

  it('hears sound and words, and cuts them', async () => {
    const { far, client, events } = await connected([{ say: 'Good morning' }])
    client.send({
      type: 'session.update',
      session: {
        type: 'realtime',
        output_modalities: ['audio'],
        audio: {
          input: {
            format: { type: 'audio/pcmu' },
            turn_detection: null,
            transcription: { model: 'gpt-4o-transcribe' },
          },
          output: { format: { type: 'audio/pcmu' }, voice: 'marin' },
        },
      },
    })
    client.send({ type: 'input_audio_buffer.append', audio: Buffer.from(toneVoice(600)).toString('base64') })
    client.send({ type: 'input_audio_buffer.commit' })
    client.send({ type: 'response.create' })
    await done(events)
    const item = events.find((event) => event.type === 'response.output_audio.delta')
    const words = events.flatMap((event) =>
      event.type === 'response.output_audio_transcript.delta' ? event.delta : [],
    )
    const heard = events.find((event) => event.type === 'conversation.item.input_audio_transcription.completed')
    expect(words.join('')).toBe('Good morning')
    expect(heard?.transcript).toBe('Hello there')
    client.send({
      type: 'conversation.item.truncate',
      item_id: item?.item_id ?? '',
      content_index: 0,
      audio_end_ms: 300,
    })
    await expect.poll(() => events.at(-1)?.type).toBe('conversation.item.truncated')
    expect(far.session.refusals).toEqual([])
  })

  it('gets functions, and text beside the conversation', async () => {
    const { client, events } = await connected([{ call: 'wait', with: { seconds: 3 } }])
    client.send({ type: 'response.create', response: { conversation: 'none', output_modalities: ['text'] } })
    await done(events)
    const call = events.find((event) => event.type === 'response.function_call_arguments.done')
    expect(call).toMatchObject({ name: 'wait', arguments: '{"seconds":3}' })
  })

  it.each([
    ['a commit without sound', { type: 'input_audio_buffer.commit' }, 'input_audio_buffer_commit_empty'],
    ['a cancel without a response', { type: 'response.cancel' }, 'response_cancel_not_active'],
    ['an unknown item', { type: 'conversation.item.delete', item_id: 'item_9' }, 'item_delete_invalid_item_id'],
  ] as const)('is refused %s', async (_, event, code) => {
    const { client, events } = await connected([])
    client.send(event)
    await expect.poll(() => events.at(-1)).toMatchObject({ type: 'error', error: { code } })
  })

  it('is refused the names of the beta', async () => {
    const { far, client } = await connected([])
    // The package does not know them any more.
    client.socket.send(JSON.stringify({ type: 'session.update', session: { modalities: ['text'] } }))
    await expect.poll(() => far.session.refusals.length).toBe(1)
  })
})
