import { accountsRoutes, callsRoutes, type LiveMessage } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { checkBooks } from '../credits/testing.ts'
import { userTopic } from '../platform/bus.ts'
import { createTestApp, type TestApp } from '../testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice(4)
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

const order = { callee: '+1 202 555 0100', purpose: 'Book a table for two', objectives: ['Ask'], maxDurationMinutes: 3 }

describe('a call', () => {
  test('goes from the button to its summary, is told live and charged once', async () => {
    const { client, user } = await app.signUp()
    const told: LiveMessage[] = []
    const leave = app.context.bus.subscribe(userTopic(user.id), (message) => told.push(message as LiveMessage))
    const placed = await client.request(callsRoutes.place, { body: order })
    expect(placed.status).toBe(201)
    expect(placed.data).toMatchObject({
      status: 'initiated',
      phase: 'queued',
      callee: '+12025550100',
      creditsHeld: 3,
      creditsCharged: null,
    })
    const callId = placed.data.id
    expect(await voice.orderOf(callId)).toMatchObject({
      callee: '+12025550100',
      purpose: order.purpose,
      objectives: ['Ask'],
      tone: 'professional',
      voiceId: 'default',
      onBehalfOf: 'Ada Lovelace',
      limitSeconds: 180,
      record: false,
      language: 'auto',
      userId: user.id,
    })
    expect((await client.request(accountsRoutes.currentUser)).data.creditBalance).toBe('7')

    const script = new Script(app.url, callId)
    await script.converse()
    const running = await client.request(callsRoutes.get, { params: { id: callId } })
    expect(running.data).toMatchObject({ status: 'in_progress', phase: 'greeting', clockSpeed: 4, transcript: null })
    expect((await client.request(callsRoutes.active, { params: { id: user.id } })).data.map(({ id }) => id)).toEqual([callId])

    await script.end(61.2)
    await script.wrapUp('The table is booked.')
    const { data: ended } = await client.request(callsRoutes.get, { params: { id: callId } })
    expect(ended).toMatchObject({
      status: 'completed',
      phase: 'ended: answered',
      endReason: 'agent_closed',
      durationSeconds: 62,
      creditsCharged: 2,
      transcript: 'Agent: Hello, this is an AI assistant.\nUser: Hello.',
      summary: 'The table is booked.',
    })
    expect(ended.events.map(({ status }) => status)).toEqual(['initiated', 'dialing', 'ringing', 'connected', 'in_progress', 'completed'])
    expect(ended.outcomes).toEqual([{ objective: 'Ask', status: 'met', quote: 'Hello.', turn: 1 }])
    expect((await client.request(accountsRoutes.currentUser)).data.creditBalance).toBe('8')
    expect((await client.request(callsRoutes.active, { params: { id: user.id } })).data).toEqual([])

    leave()
    expect(told[0]).toMatchObject({ type: 'call_status', call: { status: 'initiated' } })
    const kinds = told.map((message) => (message.type === 'call_status' ? message.call.status : message.type))
    expect(kinds.filter((kind) => kind === 'call_completed')).toHaveLength(1)
    expect(kinds.filter((kind) => kind === 'transcript')).toHaveLength(2)
    expect(told.filter((message) => message.type === 'credits').map(({ creditBalance }) => creditBalance)).toEqual(['7', '8'])
  })
})
