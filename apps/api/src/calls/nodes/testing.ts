import { accountsRoutes, callsRoutes } from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest'
import { checkBooks } from '../../credits/index.ts'
import { holdRounds } from '../../platform/rounds/testing.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../../testing.ts'
import { reconcile } from '../reconcile.ts'
import { call, callLease, voiceNode } from '../schema.ts'
import { Script, type StandInVoice, startStandInVoice } from '../testing.ts'
import { settleDeadNodes } from './deaths.ts'
import { watchLine } from './watch.ts'

/**
 * An api with two voice services that may join, and a third one at VOICE_URL that does not. Reconciling and watching
 * are for the test file: another process seems to do them.
 */
export function useNodes(environment: Record<string, string> = {}) {
  let alone: StandInVoice
  let nodes: StandInVoice[]
  let app: TestApp

  beforeAll(async () => {
    alone = await startStandInVoice()
    nodes = await Promise.all([startStandInVoice(), startStandInVoice()])
    const limits = { LIVE_CALLS_PER_ACCOUNT: '50' }
    app = await createTestApp({
      environment: { VOICE_URL: alone.url, CALLING_HOURS: 'off', ...limits, ...environment },
    })
    await holdRounds(app.context.db, ['calls.reconcile', 'calls.nodes', 'calls.deaths'])
  })
  beforeEach(async () => {
    await app.context.db.update(call).set({ waitingSince: null })
    await app.context.db.delete(callLease)
    await app.context.db.delete(voiceNode)
    for (const each of [alone, ...nodes])
      Object.assign(each, { away: false, broken: false, refuseWith: null, health: null })
  })
  afterEach(() => checkBooks(app.context.db))
  afterAll(async () => {
    await app.close()
    await Promise.all([alone, ...nodes].map((each) => each.close()))
  })

  return {
    get app() {
      return app
    },
    get db() {
      return app.context.db
    },
    /** The service at VOICE_URL. */
    get alone() {
      return alone
    },
    get nodes() {
      return nodes
    },
    async joinBoth(capacity = 10): Promise<void> {
      for (const [at, node] of nodes.entries()) await node.join(app, { nodeId: `n${at}`, capacity })
    },
    ...callsOf(
      () => app,
      () => nodes,
    ),
  }
}

/** What a test does with calls, and looks at. */
function callsOf(app: () => TestApp, nodes: () => readonly StandInVoice[]) {
  const db = () => app().context.db
  const place = async (client: Client, more: object = {}) =>
    (await client.request(callsRoutes.place, { body: { ...ORDER, ...more } })).data.id
  const rowOf = async (id: string) => {
    const [row] = await db().select().from(call).where(eq(call.id, id))
    if (!row) throw new Error('There is no such call')
    return row
  }
  const untilTaken = (id: string) => vi.waitFor(async () => expect((await rowOf(id)).takenAt).not.toBeNull(), PATIENTLY)
  return {
    place,
    rowOf,
    untilTaken,
    untilWaiting: (id: string) =>
      vi.waitFor(async () => expect((await rowOf(id)).waitingSince).not.toBeNull(), PATIENTLY),
    async placeAndDial(
      client: Client,
      more: Partial<typeof ORDER> = {},
    ): Promise<{ id: string; script: Script; node: StandInVoice }> {
      const id = await place(client, more)
      await untilTaken(id)
      const node = await vi.waitFor(() => {
        const found = nodes().find((each) => has(each, id) > 0)
        if (!found) throw new Error('No node has the call')
        return found
      }, PATIENTLY)
      return { id, script: new Script(app(), id), node }
    },
    leaseOf: async (id: string) => (await db().select().from(callLease).where(eq(callLease.callId, id)))[0],
    async watch(inMs = 0): Promise<void> {
      await settleDeadNodes(app().context.calls)
      await watchLine(app().context.calls, new Date(Date.now() + inMs))
    },
    reconcileIn: (seconds: number) => reconcile(app().context.calls, new Date(Date.now() + seconds * 1000)),
    /** The node has sent no heartbeat since. */
    lapse: (nodeId: string, seconds: number) =>
      db()
        .update(voiceNode)
        .set({ heartbeatAt: sql`now() - make_interval(secs => ${seconds})` })
        .where(eq(voiceNode.nodeId, nodeId)),
  }
}

const ORDER = { callee: '+12025550100', purpose: 'Say hello', maxDurationMinutes: 1 }

export const read = async (client: Client, id: string) =>
  (await client.request(callsRoutes.get, { params: { id } })).data
export const change = (client: Client, id: string, body: { action: 'stop' } | { action: 'say'; text: string }) =>
  client.request(callsRoutes.change, { params: { id }, body })
export const balanceOf = async (client: Client) => (await client.request(accountsRoutes.currentUser)).data.creditBalance
/** How many orders of the call a voice service has. */
export const has = (voice: StandInVoice, id: string) => voice.orders.filter(({ callId }) => callId === id).length
