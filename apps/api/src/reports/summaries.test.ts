import { callsRoutes, reportsRoutes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { type EndedCall, summaryOf } from './summaries.ts'

vi.setConfig({ testTimeout: 20_000 })

let app: TestApp
let voice: StandInVoice
beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const outcome = (objective: string, status: 'met' | 'refused' | 'open', quote: string | null = null) => ({
  objective,
  status,
  quote,
  turn: null,
})
const ended: EndedCall = {
  objectives: ['A table', 'A window'],
  outcomes: [],
  status: 'completed',
  endReason: 'agent_closed',
  endMessage: 'Both said goodbye.',
  lastWords: null,
}

describe('what came of a call', () => {
  test.each<[string, Partial<EndedCall>, string, boolean]>([
    ['everything was met', { outcomes: [outcome('A table', 'met'), outcome('A window', 'met')] }, 'success', false],
    ['something is left', { outcomes: [outcome('A table', 'met'), outcome('A window', 'open')] }, 'pending', true],
    ['nothing was said about it', {}, 'pending', true],
    ['all was refused', { outcomes: [outcome('A table', 'refused'), outcome('A window', 'refused')] }, 'failed', true],
    ['some was refused', { outcomes: [outcome('A table', 'met'), outcome('A window', 'refused')] }, 'other', false],
    ['there was nothing to achieve', { objectives: [] }, 'other', false],
    ['nobody answered', { status: 'failed', endReason: 'no_answer' }, 'failed', true],
    ['they want no calls', { status: 'failed', endReason: 'opted_out' }, 'failed', false],
  ])('when %s', (_, more, type, actionRequired) => {
    expect(summaryOf({ ...ended, ...more })).toMatchObject({ type, actionRequired })
  })

  test('is told with what they said', () => {
    const summary = summaryOf({
      ...ended,
      outcomes: [outcome('A table', 'met', 'Seven is fine.')],
      lastWords: 'Call back about the window.',
    })
    expect(summary).toMatchObject({
      title: '1 of 2 objectives were met',
      description: 'Both said goodbye. One objective was met: A table. One objective is open: A window.',
      insights: ['A table: "Seven is fine."'],
      nextSteps: ['Still open: A window', 'Their last words: "Call back about the window."'],
    })
  })
})

async function callOf(client: Client, userId: string) {
  const { data } = await client.request(callsRoutes.place, {
    body: { callee: '+12025550100', purpose: 'Ask', objectives: ['Ask'], maxDurationMinutes: 1 },
  })
  await voice.orderOf(data.id)
  return { id: data.id, script: new Script(app.url, data.id), userId }
}

test('summaries are made where they are missing, remade when asked, and are nobody else’s', async () => {
  const [{ client, user }, { client: stranger }] = [await app.signUp(), await app.signUp()]
  const make = (body: { callId?: string }, who = client) => who.request(reportsRoutes.makeSummaries, { body })
  const call = await callOf(client, user.id)
  await call.script.converse()
  expect(await make({ callId: call.id })).toMatchObject({ status: 409 })
  await call.script.end(20)
  expect((await make({})).data.summaries).toMatchObject([
    { callId: call.id, type: 'pending', nextSteps: ['Still open: Ask', 'Their last words: "Hello."'] },
  ])
  expect((await make({})).data.summaries).toEqual([])
  await call.script.wrapUp()
  expect((await make({ callId: call.id })).data.summaries).toMatchObject([{ type: 'success', insights: ['Ask: "Hello."'] }])
  const { data } = await client.request(callsRoutes.get, { params: { id: call.id } })
  expect(data.summary).toContain('One objective was met: Ask.')
  expect(await make({ callId: call.id }, stranger)).toMatchObject({ status: 404 })
})
