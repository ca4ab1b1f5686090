import { type BatchChange, BatchImport, batchesRoutes as routes } from '@parley/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { grant } from '../credits/index.ts'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import { eventually, playCallees } from './testing.ts'

// Whole lists are called here, one after the other.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

let app: TestApp
let voice: StandInVoice
let stopPlaying: () => Promise<void> = async () => undefined

beforeAll(async () => {
  voice = await startStandInVoice(100)
  const environment = { VOICE_URL: voice.url, CALLING_HOURS: 'off', LIVE_CALLS_PER_ACCOUNT: '10', CALLS_PER_HOUR: '1000' }
  app = await createTestApp({ environment })
})
afterEach(async () => {
  await stopPlaying()
  stopPlaying = async () => undefined
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

const phoneOf = (index: number) => `+1212555${String(1000 + index)}`

async function signUpWith(credits: number) {
  const person = await app.signUp()
  const key = `pi:${person.user.id}` as const
  await withTx(app.context.db, (tx) => grant(tx, { userId: person.user.id, kind: 'purchase', key, credits, cause: 'For the test' }))
  return person
}
const read = async (client: Client, id: string) => (await client.request(routes.get, { params: { id } })).data
const change = (client: Client, id: string, body: BatchChange | object) =>
  client.request(routes.change, { params: { id }, body: body as never })
const done = (client: Client, id: string) =>
  eventually(
    () => read(client, id),
    ({ status }) => expect(status).toBe('done'),
  )
const upload = (client: Client, text: string, fileName = 'people.csv') =>
  client.fetch(`/api/batch-calls/import?fileName=${fileName}`, { method: 'POST', headers: { 'content-type': 'text/csv' }, body: text })
const consent = { marketing: false, permission: 'relationship', details: 'Guests of March' }

describe('a file', () => {
  test('becomes a draft with guessed columns, a preview and a report; its rows fill the words', async () => {
    const { client, user } = await signUpWith(50)
    const lines = [
      'Name;Mobile;Table',
      `Ada;${phoneOf(1000)};7`,
      `"Grace; Hopper";${phoneOf(1001)};8`,
      ';;',
      'Nobody;;9',
      `Twin;${phoneOf(1000)};1`,
      `Alan;${phoneOf(1002)};`,
    ]
    const answer = await upload(client, `\uFEFF${lines.join('\r\n')}`)
    expect(answer.status).toBe(201)
    const draft = BatchImport.parse(await answer.json())
    expect(draft).toMatchObject({
      columns: ['Name', 'Mobile', 'Table'],
      mapping: { phone: 'Mobile', name: 'Name' },
      contacts: 3,
      dropped: 2,
      droppedByCode: { number_missing: 1, number_duplicate: 1 },
      droppedFirst: [
        { row: 5, code: 'number_missing' },
        { row: 6, code: 'number_duplicate' },
      ],
    })
    expect(draft.preview[1]).toEqual({
      phone: phoneOf(1001),
      name: 'Grace; Hopper',
      context: { Name: 'Grace; Hopper', Mobile: phoneOf(1001), Table: '8' },
    })
    const { batchId } = draft
    expect(await change(client, batchId, { action: 'start' })).toMatchObject({ status: 400 })
    const plan = { purpose: 'Tell {{name}} that table {{ table }} is ready', objectives: ['{{Name}} comes'], maxDurationMinutes: 1 }
    await change(client, batchId, { plan })
    expect(await change(client, batchId, { action: 'start' })).toMatchObject({ status: 422, body: { code: 'consent_required' } })
    await change(client, batchId, { consent })
    expect((await client.request(routes.missing, { params: { id: batchId } })).data).toEqual([{ variable: 'table', rows: 1 }])
    expect(await change(client, batchId, { action: 'start' })).toMatchObject({
      status: 422,
      body: { code: 'variables_missing', message: 'There is no value for {{table}} in 1 row.' },
    })
    expect((await read(client, batchId)).estimate).toMatchObject({ calls: 3, mostCredits: 3, availableCredits: 60 })
    stopPlaying = playCallees(voice, app.url, () => ({ answers: true, seconds: 20 }))
    expect((await change(client, batchId, { action: 'start', dropIncomplete: true })).data).toMatchObject({
      status: 'running',
      totalCalls: 2,
    })
    await done(client, batchId)
    const orders = voice.orders.filter(({ userId }) => userId === user.id)
    expect(orders.map(({ purpose }) => purpose).toSorted()).toEqual([
      'Tell Ada that table 7 is ready',
      'Tell Grace; Hopper that table 8 is ready',
    ])
    expect(orders[0]).toMatchObject({ context: { Table: expect.any(String) } })
  })

  test('of JSON is read too, and other columns may be chosen', async () => {
    const { client } = await app.signUp()
    const people = [
      { contact: 'Ada', phone: phoneOf(1100), other: phoneOf(1101), tags: ['a'] },
      { contact: 'Alan', phone: 'none', other: phoneOf(1102) },
    ]
    const answer = await upload(client, JSON.stringify(people), 'people.json')
    const draft = BatchImport.parse(await answer.json())
    expect(draft).toMatchObject({
      mapping: { phone: 'phone', name: 'contact' },
      contacts: 1,
      dropped: 1,
      droppedByCode: { number_invalid: 1 },
    })
    const params = { id: draft.batchId }
    const mapped = await client.request(routes.mapImport, { params, body: { phone: 'other', name: null } })
    expect(mapped.data).toMatchObject({ contacts: 2, dropped: 0, preview: [{ phone: phoneOf(1101) }, { phone: phoneOf(1102) }] })
    expect((await client.request(routes.getImport, { params })).data).toEqual(mapped.data)
    expect(await client.request(routes.mapImport, { params, body: { phone: 'nothing', name: null } })).toMatchObject({ status: 400 })
  })

  test.each([
    ['an object', '{"phone": "+12125551000"}', 'x.json'],
    ['broken JSON', '[{"phone": "+1"', 'x.json'],
    ['a trailing comma', '[{"phone": "+1"},]', 'x.json'],
    ['an open quote', 'phone,name\n+12125551000,"Ada\n+12125551001,Alan\n', 'x.csv'],
    ['a workbook', 'PK\u0003\u0004\u0000\u0000', 'x.csv'],
    ['nothing', '', 'x.csv'],
    ['another kind', 'phone\n+12125551000', 'x.txt'],
  ])('of %s cannot be read', async (_, text, fileName) => {
    const { client, user } = await app.signUp()
    const answer = await upload(client, text, fileName)
    expect([answer.status, await answer.json()]).toMatchObject([400, { message: 'Failed to parse file. Please check the format.' }])
    expect((await client.request(routes.list, { params: { id: user.id } })).data).toEqual([])
  })

  test('of more than 10 MB is too large', async () => {
    const { client } = await app.signUp()
    const answer = await upload(client, `phone\n${'+12125551000\n'.repeat(850_000)}`).catch((error: unknown) => error)
    // A server that has answered need not read on: the connection may be gone before the answer is read.
    expect(answer instanceof Response ? answer.status : answer instanceof Error).toBeOneOf([413, true])
  })
})
