import { accountsRoutes, callsRoutes, keepRecording, pathOf } from '@parley/contract'
import { type Bucket, startBucket } from '@parley/sandbox'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'
import type { ExportFile } from '../accounts/index.ts'
import { eraseAllRecordings, eraseWords, recordingFiles } from './index.ts'
import { call } from './schema.ts'
import { Script, type StandInVoice, startStandInVoice } from './testing.ts'

const WAV = Buffer.from(Array.from({ length: 1000 }, (_, at) => at % 251))
let voice: StandInVoice
let bucket: Bucket

beforeAll(async () => {
  voice = await startStandInVoice()
  bucket = await startBucket({ port: 0 })
})
afterAll(async () => {
  await voice.close()
  await bucket.close()
})

describe.each(['disk', 's3'] as const)('recordings on %s', (kind) => {
  let app: TestApp

  beforeAll(async () => {
    app = await createTestApp({
      environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', ...(kind === 's3' ? bucket.environment : {}) },
    })
  })
  afterAll(() => app.close())

  async function recorded(record = true) {
    const { client, user } = await app.signUp()
    await client.request(accountsRoutes.changeSettings, { params: { id: user.id }, body: { recordCalls: record } })
    const { data } = await client.request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Ask' } })
    const order = await voice.orderOf(data.id)
    const script = new Script(app, data.id)
    await script.converse()
    await script.end(30)
    return { client, user, id: data.id, order }
  }

  const upload = (id: string, body = WAV, secret = 'v'.repeat(32)) =>
    fetch(app.internalUrl + pathOf(keepRecording, { id }), {
      method: 'PUT',
      headers: { 'content-type': 'audio/wav', authorization: `Bearer ${secret}` },
      body,
    })
  const listen = (client: Client, id: string, range?: string, search = '') =>
    client.fetch(pathOf(callsRoutes.recording, { id }) + search, { headers: range ? { range } : {} })

  test('are stored, marked in the call and served to their owner only', async () => {
    const { client, id, order } = await recorded()
    expect(order).toMatchObject({ record: true, askToRecord: false })
    expect((await listen(client, id)).status).toBe(404)
    expect((await upload(id, WAV, 'x'.repeat(32))).status).toBe(401)
    expect((await upload(id)).status).toBe(204)
    expect((await client.request(callsRoutes.get, { params: { id } })).data.hasRecording).toBe(true)
    const whole = await listen(client, id)
    expect(whole.headers.get('content-type')).toBe('audio/wav')
    expect(whole.headers.get('content-disposition')).toBeNull()
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(WAV)
    const { client: stranger } = await app.signUp()
    expect((await listen(stranger, id)).status).toBe(404)
    expect((await listen(app.client(), id)).status).toBe(401)
  })

  test('are served by ranges and as a named download', async () => {
    const { client, id } = await recorded()
    await upload(id)
    for (const [range, from, until] of [
      ['bytes=0-99', 0, 99],
      ['bytes=900-', 900, 999],
      ['bytes=-10', 990, 999],
      ['bytes=990-5000', 990, 999],
    ] as const) {
      const part = await listen(client, id, range)
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${from}-${until}/1000`])
      expect(Buffer.from(await part.arrayBuffer())).toEqual(WAV.subarray(from, until + 1))
    }
    const beyond = await listen(client, id, 'bytes=1000-')
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000'])
    expect((await listen(client, id, 'bytes=0-1,5-6')).status).toBe(200)
    const saved = await listen(client, id, undefined, '?download=1')
    expect(saved.headers.get('content-disposition')).toMatch(
      /^attachment; filename="recording-12025550100-\d{4}-\d\d-\d\d\.wav"$/,
    )
  })

  test('return 404 for a call without recording and for an unknown call', async () => {
    const { id, order } = await recorded(false)
    expect(order.record).toBe(false)
    expect((await upload(id)).status).toBe(404)
    expect((await upload('no-such-call')).status).toBe(404)
  })

  test('are in the export and are deleted by retention or with the account', async () => {
    const { client, user, id } = await recorded()
    await upload(id)
    const { calls, files, db } = app.context
    const { count, files: iterated } = await recordingFiles(calls, user.id)
    const exported: ExportFile[] = []
    for await (const file of iterated) exported.push(file)
    expect(count).toBe(1)
    expect(exported.map(({ name }) => name)).toEqual([`recordings/${id}.wav`])
    const parts: Uint8Array[] = []
    for await (const part of exported[0]!.read()) parts.push(Buffer.from(part))
    expect(Buffer.concat(parts)).toEqual(WAV)

    const key = `recordings/${user.id}/${id}.wav`
    await db
      .update(call)
      .set({ completedAt: sql`now() - interval '400 days'` })
      .where(eq(call.id, id))
    await eraseWords(calls, [user.id], 365)
    await vi.waitFor(async () => expect(await files.size(key)).toBeUndefined(), 40_000)
    expect((await listen(client, id)).status).toBe(404)

    await upload(id)
    expect(await files.size(key)).toBe(1000)
    await withTx(db, (tx) => eraseAllRecordings(calls.jobs, tx, user.id))
    await vi.waitFor(async () => expect(await files.size(key)).toBeUndefined(), 40_000)
  })
})

test('the order asks for consent to record where all parties must agree', async () => {
  const app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off' } })
  const { client, user } = await app.signUp()
  await client.request(accountsRoutes.changeSettings, { params: { id: user.id }, body: { recordCalls: true } })
  const { data } = await client.request(callsRoutes.place, { body: { callee: '+14155550100', purpose: 'Ask' } })
  expect(await voice.orderOf(data.id)).toMatchObject({ record: true, askToRecord: true })
  await app.close()
})
