import { type BatchChange, batchesRoutes as routes, type CallOrder, type EndReason } from '@parley/contract'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { Script, type StandInVoice, startStandInVoice } from '../calls/testing.ts'
import { grant } from '../credits/index.ts'
import { withTx } from '../platform/db.ts'
import { type Client, createTestApp, type TestApp } from '../testing.ts'

export interface Persona {
  readonly answers: boolean
  readonly reason?: EndReason
  readonly seconds?: number
  readonly optsOut?: boolean
}

const played = new WeakSet<CallOrder>()

/**
 * Ends every order of the stand-in as the test says, one after the other, once `begin` resolves. Returns a function
 * that stops.
 */
export function playCallees(
  voice: StandInVoice,
  app: Pick<TestApp, 'internalUrl' | 'context'>,
  personaOf: (order: CallOrder) => Persona,
  begin: Promise<void> = Promise.resolve(),
): () => Promise<void> {
  let next = 0
  let stopped = false
  const playing = (async () => {
    while (!stopped) {
      const order = voice.orders[next]
      if (order === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
      else {
        next++
        // Ended by an earlier test of this file.
        if (played.has(order)) continue
        played.add(order)
        await begin
        await play(app, order, personaOf(order))
        voice.live.set(order.callId, false)
      }
    }
  })()
  return async () => {
    stopped = true
    await playing
  }
}

/** Until the api has noted the speed of the call's clock, by which its retries come: no real call ends before. */
function taken({ context }: Pick<TestApp, 'context'>, callId: string): Promise<unknown> {
  const takenCall = sql`select id from call where id = ${callId} and taken_at is not null`
  return eventually(
    () => context.db.execute<{ id: string }>(takenCall),
    ({ rows }) => expect(rows).toHaveLength(1),
  )
}

async function play(
  app: Pick<TestApp, 'internalUrl' | 'context'>,
  { callId }: CallOrder,
  { answers, reason, seconds = 61, optsOut = false }: Persona,
): Promise<void> {
  const script = new Script(app, callId)
  // One report for each call: on a busy machine, a list takes as long as its reports.
  if (!answers) {
    await taken(app, callId)
    await script.say({ type: 'dialing' }, { type: 'ringing' }, script.ended(0, reason ?? 'no_answer'))
    return
  }
  const optOut = optsOut ? [{ type: 'opted_out' as const, quote: 'Do not call me again.' }] : []
  const end = script.ended(seconds, optsOut ? 'opted_out' : reason)
  const begin = [{ type: 'dialing' as const }, { type: 'ringing' as const }, { type: 'answered' as const }]
  await script.say(...begin, ...script.words(), ...optOut, end, script.wrappedUp())
}

/** Polls until the check passes. Returns what was read. */
export function eventually<T>(read: () => Promise<T>, check: (value: T) => void, timeoutMs = 40_000): Promise<T> {
  return vi.waitFor(
    async () => {
      const value = await read()
      check(value)
      return value
    },
    { timeout: timeoutMs, interval: 25 },
  )
}

export const phoneOf = (index: number) => `+1212555${String(1000 + index)}`
export const rowsOf = (count: number, from = 0) => Array.from({ length: count }, (_, index) => phoneOf(from + index))
export const callOf = (callee: string, more: object = {}) => ({
  callee,
  purpose: 'Ask how it was',
  maxDurationMinutes: 2,
  ...more,
})

/** Signs up a user who has bought this many credits. */
export async function signUpWith(app: TestApp, credits: number): Promise<Awaited<ReturnType<TestApp['signUp']>>> {
  const person = await app.signUp()
  const key = `pi:${person.user.id}` as const
  await withTx(app.context.db, (tx) =>
    grant(tx, { userId: person.user.id, kind: 'purchase', key, credits, cause: 'For the test' }),
  )
  return person
}

export const readBatch = async (client: Client, id: string) =>
  (await client.request(routes.get, { params: { id } })).data
export const changeBatch = (client: Client, id: string, body: BatchChange | object) =>
  client.request(routes.change, { params: { id }, body: body as never })
export const contactsOf = async (client: Client, id: string) =>
  (await client.request(routes.contacts, { params: { id } })).data
export const createBatch = (client: Client, calls: object[], more: object = {}, headers: Record<string, string> = {}) =>
  client.request(routes.create, { body: { name: 'Spring', calls, ...more } as never, headers })
export const uploadList = (client: Client, text: string, fileName = 'people.csv') =>
  client.fetch(`/api/batch-calls/import?fileName=${fileName}`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: text,
  })
export const batchDone = (client: Client, id: string) =>
  eventually(
    () => readBatch(client, id),
    ({ status }) => expect(status).toBe('done'),
  )

/** An api with a stand-in voice service, for a test file that runs whole batches. */
export function useLists() {
  // Longer than the waits within a test, so that the wait fails, which says for what.
  vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })
  let app: TestApp
  let voice: StandInVoice
  let stopPlaying: () => Promise<void> = async () => undefined
  beforeAll(async () => {
    voice = await startStandInVoice(100)
    const environment = {
      VOICE_URL: voice.url,
      CALLING_HOURS: 'off',
      LIVE_CALLS_PER_ACCOUNT: '10',
      CALLS_PER_HOUR: '1000',
    }
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
  return {
    get app() {
      return app
    },
    get voice() {
      return voice
    },
    signUpWith: (credits: number) => signUpWith(app, credits),
    /** Plays the callees until the end of the test. */
    play(personaOf: (order: CallOrder) => Persona, begin?: Promise<void>) {
      stopPlaying = playCallees(voice, app, personaOf, begin)
    },
    stopPlaying: () => stopPlaying(),
  }
}
