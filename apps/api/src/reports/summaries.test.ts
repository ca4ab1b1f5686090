import { type CallSummary, callsRoutes, type OutcomeStatus, reportsRoutes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { type EndedCall, summaryOf } from './summaries.ts'

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

const outcome = (
  objective: string,
  status: OutcomeStatus,
  quote: string | null = null,
  offer: string | null = null,
) => ({
  objective,
  status,
  quote,
  turn: null,
  offer,
})
const ended: EndedCall = {
  objectives: ['A table', 'A window'],
  outcomes: [],
  status: 'completed',
  endReason: 'agent_closed',
  endMessage: 'Both said goodbye.',
  lastWords: null,
}

describe('summaryOf', () => {
  test.each<[string, Partial<EndedCall>, string, boolean]>([
    [
      'every objective was met',
      { outcomes: [outcome('A table', 'met'), outcome('A window', 'met')] },
      'success',
      false,
    ],
    [
      'what was agreed is within the limits',
      { outcomes: [outcome('A table', 'met_within_limits'), outcome('A window', 'met')] },
      'success',
      false,
    ],
    [
      'an offer is to be decided',
      { outcomes: [outcome('A table', 'offered'), outcome('A window', 'met')] },
      'pending',
      true,
    ],
    [
      'there is an offer and a refusal',
      { outcomes: [outcome('A table', 'offered'), outcome('A window', 'refused')] },
      'pending',
      true,
    ],
    ['an objective is open', { outcomes: [outcome('A table', 'met'), outcome('A window', 'open')] }, 'pending', true],
    ['there are no outcomes', {}, 'pending', true],
    [
      'every objective was refused',
      { outcomes: [outcome('A table', 'refused'), outcome('A window', 'refused')] },
      'failed',
      true,
    ],
    [
      'one objective was refused',
      { outcomes: [outcome('A table', 'met'), outcome('A window', 'refused')] },
      'other',
      false,
    ],
    ['there were no objectives', { objectives: [] }, 'other', false],
    ['the call was not answered', { status: 'failed', endReason: 'no_answer' }, 'failed', true],
    ['the callee opted out', { status: 'failed', endReason: 'opted_out' }, 'failed', false],
  ])('has its type and required action when %s', (_, more, type, actionRequired) => {
    expect(summaryOf({ ...ended, ...more })).toMatchObject({ type, actionRequired })
  })

  test("has the callee's quotes and last words", () => {
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

test.each([
  'Our number is 0900 123 456.',
  'For that please dial 1-900-555-0123, three dollars a minute.',
  'Ring nine zero zero five five five one two.',
])('hides a premium number in all texts: %s', (line) => {
  const outcomes = [outcome('A table', 'met', line), outcome('A window', 'offered', line, line)]
  const summary = summaryOf({ ...ended, outcomes, lastWords: line })
  const left = summaryOf({ ...ended, lastWords: line })
  expect(JSON.stringify([summary, left])).not.toMatch(/0900|900.?555|nine zero|123/)
  expect(left.nextSteps).toEqual(['Still open: A table', 'Still open: A window'])
})

describe('summaryOf with an offer', () => {
  const half = outcome('A table at 7', 'offered', 'Half past eight would be possible.', 'half past eight')
  const asked = { ...ended, objectives: ['A table at 7', 'A window'] }

  test('names the offer and asks for a decision', () => {
    expect(summaryOf({ ...asked, outcomes: [half, outcome('A window', 'met', 'Yes.')], lastWords: 'Bye.' })).toEqual({
      type: 'pending',
      title: '1 of 2 objectives were met, 1 offer to decide',
      description:
        'Both said goodbye. One objective was met: A window. They offer something else: half past eight (asked: A table at 7).',
      insights: ['A window: "Yes."', 'A table at 7: they offer half past eight: "Half past eight would be possible."'],
      nextSteps: ['Decide on their offer: half past eight (asked: A table at 7)'],
      actionRequired: true,
      actionText: 'Decide on their offer: half past eight (asked: A table at 7).',
    })
  })

  test('names an offer without a text by its quote', () => {
    const { actionText, title } = summaryOf({
      ...asked,
      objectives: ['A table at 7'],
      outcomes: [{ ...half, offer: null }],
    })
    expect(actionText).toBe('Decide on their offer: "Half past eight would be possible." (asked: A table at 7).')
    expect(title).toBe('1 offer to decide')
  })

  test('names what was agreed within the limits', () => {
    const agreed = { ...half, status: 'met_within_limits' as const }
    expect(summaryOf({ ...asked, objectives: ['A table at 7'], outcomes: [agreed] })).toMatchObject({
      type: 'success',
      title: 'Everything was achieved',
      description: 'Both said goodbye. Agreed within your limits: half past eight (asked: A table at 7).',
      insights: ['A table at 7: agreed half past eight: "Half past eight would be possible."'],
      actionText: null,
    })
  })
})

async function callOf(client: Client, userId: string) {
  const { data } = await client.request(callsRoutes.place, {
    body: { callee: '+12025550100', purpose: 'Ask', objectives: ['Ask'], maxDurationMinutes: 1 },
  })
  await voice.orderOf(data.id)
  return { id: data.id, script: new Script(app, data.id), userId }
}

test('makeSummaries makes missing summaries, remakes one on request and returns 404 to another user', async () => {
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
  expect((await make({ callId: call.id })).data.summaries).toMatchObject([
    { type: 'success', insights: ['Ask: "Hello."'] },
  ])
  const { data } = await client.request(callsRoutes.get, { params: { id: call.id } })
  expect(data.summary).toContain('One objective was met: Ask.')
  expect(await make({ callId: call.id }, stranger)).toMatchObject({ status: 404 })
})

describe('makeSummaries of one call', () => {
  const TOLD = {
    type: 'success' as const,
    title: 'Todo listo',
    description: 'Contestaron que sí.',
    insights: ['Sí'],
    nextSteps: ['Nada más'],
    actionRequired: false,
    actionText: null,
  }

  async function madeOf(summary: CallSummary | null) {
    const { client, user } = await app.signUp()
    const call = await callOf(client, user.id)
    await call.script.converse()
    await call.script.end(20)
    voice.summary = summary
    const { data } = await client.request(reportsRoutes.makeSummaries, { body: { callId: call.id } })
    voice.summary = null
    return { call, made: data.summaries[0], read: await client.request(callsRoutes.get, { params: { id: call.id } }) }
  }

  test('is written by the mind from turns and outcomes; its type is that of the outcomes', async () => {
    const { call, made, read } = await madeOf(TOLD)
    expect(made).toMatchObject({ title: 'Todo listo', type: 'pending', nextSteps: ['Nada más'], actionRequired: true })
    expect(read.data.summary).toBe('Contestaron que sí.')
    const [wanted] = voice.summarised.filter(({ order }) => order.callId === call.id)
    expect(wanted).toMatchObject({ endReason: 'agent_closed', outcomes: [] })
    expect(wanted?.turns.map(({ text }) => text)).toContain('Hello.')
  })

  test('is derived from what is kept when the mind makes none, or names a premium number', async () => {
    for (const told of [null, { ...TOLD, description: 'Call them at 0900 123 456.' }])
      expect((await madeOf(told)).made).toMatchObject({ type: 'pending', title: '0 of 1 objectives were met' })
  })
})
