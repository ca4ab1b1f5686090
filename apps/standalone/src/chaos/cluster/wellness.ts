import { connect } from 'node:net'
import type { Database } from '@parley/api/testing'
import { PROBE_PATHS } from '@parley/contract'
import { APIS, placeOf, type Places, VOICES, WORKERS } from './links.ts'
import type { Address } from './proxy.ts'

const ASKED_MS = 2000

/** Whether something takes connections there. */
function answers({ host, port }: Address): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: ASKED_MS })
    const end = (answer: boolean) => {
      socket.destroy()
      done(answer)
    }
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false))
  })
}

/** Whether an api or a worker takes work. */
async function isReady({ host, port }: Address): Promise<boolean> {
  const url = `http://${host}:${port}${PROBE_PATHS.readyz}`
  const answer = await fetch(url, { signal: AbortSignal.timeout(ASKED_MS) }).catch(() => undefined)
  await answer?.body?.cancel()
  return answer?.status === 200
}

/** Whether the cluster counts this voice node as living, by a heartbeat of the last seconds. */
async function isNodeLiving({ pool }: Pick<Database, 'pool'>, nodeId: string): Promise<boolean> {
  const fresh = `select 1 from voice_node
    where node_id = $1 and state = 'ready' and heartbeat_at > now() - interval '4 s'`
  const found = await pool.query(fresh, [nodeId]).catch(() => undefined)
  return found?.rowCount === 1
}

/** By name of a part: whether it does its work. */
export function wellnessOf(
  places: Places,
  database: Pick<Database, 'pool'>,
): ReadonlyMap<string, () => Promise<boolean>> {
  const at = (name: string) => placeOf(places, name)
  const isUp = () =>
    database.pool.query('select 1').then(
      () => true,
      () => false,
    )
  return new Map([
    ['redis', () => answers(at('redis'))],
    ['sandbox', async () => (await answers(at('payments'))) && answers(at('bucket'))],
    ['postgres', isUp],
    ...[...APIS, ...WORKERS].map((name) => [name, () => isReady(at(name))] as const),
    // The heartbeat of a process that was killed is fresh for some seconds more.
    ...VOICES.map((name) => [name, async () => (await answers(at(name))) && isNodeLiving(database, name)] as const),
  ])
}
