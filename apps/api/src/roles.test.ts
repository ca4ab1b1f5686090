import { callsRoutes, systemRoutes } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { batchDone, callOf, createBatch, playCallees, rowsOf, signUpWith } from './batches/testing.ts'
import { Script, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { readConfig } from './config.ts'
import { testDatabase } from './platform/testing.ts'
import { startServer, type Server } from './server.ts'
import { createTestApp, PATIENTLY, type TestApp } from './testing.ts'

describe('an api and a worker on one database', () => {
  let database: Awaited<ReturnType<typeof testDatabase>>
  let voice: StandInVoice
  let api: TestApp
  let worker: Server | undefined
  const environment = () => ({ DATABASE_URL: database.url, VOICE_URL: voice.url, CALLING_HOURS: 'off' })

  beforeAll(async () => {
    database = await testDatabase()
    voice = await startStandInVoice(100)
    api = await createTestApp({ environment: { ...environment(), PARLEY_ROLE: 'api' } })
  })
  afterAll(async () => {
    await worker?.close()
    await api.close()
    await voice.close()
    await database.close()
  })
  const startWorker = () => {
    const { config } = api.context
    const secrets = { AUTH_SECRET: config.authKeys[0].secret, VOICE_SECRET: config.voice.keys[0].secret }
    const own = { PORT: '0', DATA_DIR: config.dataDir, LOG_LEVEL: 'silent', PARLEY_ROLE: 'worker' }
    return startServer(readConfig({ ...environment(), ...secrets, ...own }))
  }

  test('the api alone accepts an order, and a worker runs it', async () => {
    const { client } = await signUpWith(api, 10)
    const { data } = await client.request(callsRoutes.place, { body: callOf('+12025550100') })
    const { rows } = await database.pool.query("select state from jobs.job where name = 'calls.dial'")
    expect(rows).toEqual([{ state: 'created' }])
    const states = await api.context.jobs.rounds()
    expect(states.length).toBeGreaterThan(5)
    expect(states.filter(({ lastStartedAt }) => lastStartedAt !== null)).toEqual([])
    expect(voice.orders).toEqual([])

    worker = await startWorker()
    await voice.orderOf(data.id)
    // The facts of the call go to the api.
    await new Script(api, data.id).end(0, 'no_answer')
    const { data: ended } = await client.request(callsRoutes.get, { params: { id: data.id } })
    expect(ended).toMatchObject({ status: 'failed' })
    await vi.waitFor(
      async () => expect((await api.context.jobs.rounds()).every((each) => each.lastSucceededAt !== null)).toBe(true),
      PATIENTLY,
    )
  })

  test('a batch that is started at the api is dialed by the worker', async () => {
    worker ??= await startWorker()
    const { client } = await signUpWith(api, 10)
    const stopPlaying = playCallees(voice, api, () => ({ answers: true, seconds: 5 }))
    const { batchId } = (
      await createBatch(
        client,
        rowsOf(2, 100).map((phone) => callOf(phone)),
      )
    ).data
    expect((await batchDone(client, batchId)).counts).toEqual({ completed: 2 })
    await stopPlaying()
  })

  test('a worker answers probes and nothing else', async () => {
    worker ??= await startWorker()
    const { url } = worker
    const answers = await Promise.all(
      [systemRoutes.livez, systemRoutes.readyz, systemRoutes.health, callsRoutes.place].map(
        async ({ path }) => (await fetch(url + path)).status,
      ),
    )
    expect(answers).toEqual([200, 200, 404, 404])
    expect(worker.internalUrl).toBe('')
  })
})

test('an api waits for the worker that makes the schema', async () => {
  const database = await testDatabase({ empty: true })
  const start = (PARLEY_ROLE: string) =>
    createTestApp({ environment: { DATABASE_URL: database.url, PARLEY_ROLE, LOG_LEVEL: 'silent' } })
  let isUp = false
  const starting = start('api').finally(() => (isUp = true))
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query(
      "select from pg_stat_activity where application_name = 'parley migrations'",
    )
    expect(rows).toHaveLength(1)
  }, PATIENTLY)
  expect(isUp).toBe(false)
  const worker = await start('worker')
  const api = await starting
  expect((await api.client().fetch(systemRoutes.readyz.path)).status).toBe(200)
  await api.close()
  await worker.close()
  await database.close()
})
