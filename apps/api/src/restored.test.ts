import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountsRoutes, callsRoutes } from '@parley/contract'
import { and, eq, isNotNull } from 'drizzle-orm'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { callOf, changeBatch, createBatch, phoneOf, readBatch, rowsOf } from './batches/testing.ts'
import { call, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { readConfig } from './config.ts'
import { balance } from './credits/index.ts'
import { takeBackup } from './platform/data/backup.ts'
import { restoreBackup } from './platform/data/restore.ts'
import { type Server, startServer } from './server.ts'
import { checkBooks, type Client, createClient, PATIENTLY, TEST_PASSWORD } from './testing.ts'

// The whole api on an embedded database of its own, restored to a time with queued and running calls.

const EMAIL = 'restored@example.com'
const HOUR_MS = 3_600_000
let dataDir: string
let voice: StandInVoice
let server: Server

async function start(): Promise<Client> {
  const secrets = { AUTH_SECRET: 'a'.repeat(32), VOICE_SECRET: 'v'.repeat(32) }
  const rest = {
    DATA_DIR: dataDir,
    VOICE_URL: voice.url,
    PORT: '0',
    CALLING_HOURS: 'off',
    PUBLIC_URL: 'http://localhost:3000',
  }
  server = await startServer(readConfig({ ...secrets, ...rest }), { overrides: { log: pino({ level: 'silent' }) } })
  return createClient(server.url)
}
async function signIn(client: Client): Promise<string> {
  return (await client.request(accountsRoutes.login, { body: { email: EMAIL, password: TEST_PASSWORD } })).data.user.id
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-restored-'))
  voice = await startStandInVoice()
})
afterAll(async () => {
  await server.close()
  await voice.close()
  await rm(dataDir, { recursive: true, force: true })
})

test('a restore pauses batches with the reason, interrupts calls and dials nothing until a resume', async () => {
  let client = await start()
  await server.context.accounts.addPerson({ fullName: 'Ada Lovelace', email: EMAIL, password: TEST_PASSWORD })
  const userId = await signIn(client)
  const underWay = (await client.request(callsRoutes.place, { body: callOf('+12025550100') })).data
  await voice.orderOf(underWay.id)
  voice.refuseWith = 503
  const queued = (await client.request(callsRoutes.place, { body: callOf('+12025550101') })).data
  // Its job is retried beyond the 15 seconds in which a call has to be dialed: a backup may come later.
  const { db } = server.context
  await db
    .update(call)
    .set({ stageAt: new Date(Date.now() + HOUR_MS) })
    .where(eq(call.id, queued.id))
  const isOrdered = and(eq(call.id, queued.id), isNotNull(call.dispatchedAt))
  await vi.waitFor(async () => expect(await db.$count(call, isOrdered)).toBe(1), PATIENTLY)
  // What the batch calls waits in line.
  voice.health = 'full'
  const { batchId: running } = (
    await createBatch(
      client,
      rowsOf(8).map((phone) => callOf(phone)),
    )
  ).data
  const scheduledFor = new Date(Date.now() + HOUR_MS).toISOString()
  const { batchId: scheduled } = (await createBatch(client, [callOf(phoneOf(9))], { startAt: scheduledFor })).data
  await vi.waitFor(
    async () => expect((await readBatch(client, running)).contacts.calling).toBeGreaterThan(0),
    PATIENTLY,
  )
  const name = await takeBackup({
    dataDir,
    databaseUrl: server.context.database.url,
    reason: 'by-hand',
    migration: null,
  })
  await server.close()
  expect(await restoreBackup(dataDir, name)).toBeDefined()
  Object.assign(voice, { refuseWith: null, health: null })
  voice.live.clear()
  const dialed = voice.orders.length

  client = await start()
  await signIn(client)
  const minute = `${name.slice(0, 10)} ${name.slice(11, 16).replace('-', ':')} UTC`
  const statusMessage = `The data was restored from a backup of ${minute}. Contacts may have been called since then: check that before you resume.`
  for (const id of [running, scheduled]) {
    expect(await readBatch(client, id)).toMatchObject({
      status: 'paused',
      pausedBy: 'restored',
      statusMessage,
      contacts: { calling: 0 },
    })
  }
  for (const { id } of [underWay, queued]) {
    const { data } = await client.request(callsRoutes.get, { params: { id } })
    expect(data).toMatchObject({ status: 'failed', endReason: 'interrupted', creditsCharged: 0 })
    expect(data.endMessage).toContain('The data was restored from a backup')
  }
  expect(await balance(server.context.db, userId)).toMatchObject({ held: 0 })
  await checkBooks(server.context.db)
  await expect(readFile(join(dataDir, 'postgres/restored.json'))).rejects.toThrow('ENOENT')

  // A new call shows that dialing works and that no old job came before it.
  const fresh = (await client.request(callsRoutes.place, { body: callOf('+12025550102') })).data
  await voice.orderOf(fresh.id)
  expect(voice.orders.slice(dialed).map(({ callId }) => callId)).toEqual([fresh.id])
  expect((await changeBatch(client, scheduled, { action: 'resume' })).data).toMatchObject({
    status: 'scheduled',
    scheduledFor,
  })
  expect((await changeBatch(client, running, { action: 'resume' })).data).toMatchObject({
    status: 'running',
    pausedBy: null,
  })
  await vi.waitFor(() => expect(voice.orders.length).toBeGreaterThan(dialed + 1), PATIENTLY)
}, 180_000)
