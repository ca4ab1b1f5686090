import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readSecrets } from '../apps/standalone/src/secrets.ts'
import { openDatabase } from '../apps/standalone/src/testing.ts'
import { freePort, type Person, runParley, signUp, until } from '../apps/standalone/src/world.ts'

// Live calls while each of three voice nodes is restarted in turn, and while one of them is killed.

const { values } = parseArgs({ options: { calls: { type: 'string', default: '200' }, only: { type: 'string' } } })
const CALLS = Number(values.calls)
const NODES = 3
const CALLS_PER_PERSON = 5
const CALL_MINUTES = 2
/** More than a person can spend here. */
const CREDITS = 500
const SPEED = 2
const LOOK_MS = 500
const PHASE_MS = 1_200_000
const PROCESS = fileURLToPath(new URL('../apps/standalone/src/voice-process.ts', import.meta.url))
/** Their callees talk on until the time limit. */
const AREAS = ['202', '212', '213', '305', '312', '415', '617', '702', '713', '818']

const internalPort = await freePort()
const parley = await runParley({
  INTERNAL_PORT: String(internalPort),
  SANDBOX_SPEED: String(SPEED),
  // The node of the product itself takes one call; the three of the measurement take the rest.
  CAPACITY: '1',
  CALLS_PER_HOUR: '1000',
  CREDITS_PER_DAY: '1000',
})
const database = await openDatabase(parley)
const secrets = await readSecrets(parley.dataDir)
const nodes = new Map<number, ChildProcess>()

async function startNode(number: number): Promise<void> {
  const port = String(await freePort())
  const child = fork(PROCESS, [], {
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      VOICE_PORT: port,
      NODE_ID: `node-${number}`,
      PRIVATE_URL: `http://127.0.0.1:${port}`,
      API_URL: `http://127.0.0.1:${internalPort}`,
      VOICE_SECRET: secrets?.voice,
      SANDBOX_SPEED: String(SPEED),
      SANDBOX_RECORDS_DIR: join(parley.dataDir, 'simulated-calls'),
      DATA_DIR: join(parley.dataDir, `node-${number}`),
      CAPACITY: String(2 * CALLS),
      DRAIN_MINUTES: '40',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  nodes.set(number, child)
  await until(`node ${number} to join`, async () => (await boots()).has(`node-${number}`))
}

async function boots(): Promise<Map<string, string>> {
  const { rows } = await database.pool.query<{ node_id: string; boot_id: string }>(
    `select node_id, boot_id from voice_node where heartbeat_at > now() - interval '10 seconds' and state = 'ready'`,
  )
  return new Map(rows.map((row) => [row.node_id, row.boot_id]))
}

async function countLive(): Promise<number> {
  const { rows } = await database.pool.query<{ live: number }>(
    `select count(*)::int as live from call where status = 'in_progress'`,
  )
  return rows[0]?.live ?? 0
}

async function endings(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ end_reason: string; calls: number }>(
    'select end_reason, count(*)::int as calls from call where completed_at is not null group by end_reason',
  )
  return Object.fromEntries(rows.map((row) => [row.end_reason, row.calls]))
}

async function makePeople(): Promise<Person[]> {
  const people: Person[] = []
  for (let nth = 0; nth < Math.ceil(CALLS / CALLS_PER_PERSON); nth++) {
    const person = await signUp(parley.url, `bench-${nth}@parley.example`)
    await database.pool.query(
      `select books_move($1, 'grant', 'bench:' || $1, 'x', 'For the measurement', 0, $2, 0, false)`,
      [person.user.id, CREDITS],
    )
    people.push(person)
  }
  return people
}

/** Keeps so many calls under way until it is stopped: a call that ends is followed by another. */
function keepCalling(people: readonly Person[]): () => Promise<void> {
  let isStopped = false
  const work = people.flatMap((person) =>
    AREAS.slice(0, CALLS_PER_PERSON).map(async (area) => {
      while (!isStopped) {
        const placed = await person
          .place(`+1${area}5550111`, { maxDurationMinutes: CALL_MINUTES })
          .catch((error: unknown) => console.error(String(error)))
        if (placed) await until('a call to end', async () => hasEnded(placed.id), PHASE_MS, 1000)
        else await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }),
  )
  return async () => {
    isStopped = true
    await Promise.all(work)
  }
}

async function hasEnded(callId: string): Promise<boolean> {
  const { rows } = await database.pool.query('select from call where id = $1 and completed_at is not null', [callId])
  return rows.length > 0
}

async function rollingRestart(): Promise<void> {
  let fewest = Infinity
  const watch = setInterval(() => void countLive().then((live) => (fewest = Math.min(fewest, live))), LOOK_MS)
  const startedAt = Date.now()
  for (let number = 1; number <= NODES; number++) {
    const node = nodes.get(number)
    const gone = node && once(node, 'exit')
    node?.kill('SIGTERM')
    await gone
    await startNode(number)
  }
  clearInterval(watch)
  const { interrupted = 0, ...others } = await endings()
  console.log(
    `Rolling restart of ${NODES} nodes in ${Math.round((Date.now() - startedAt) / 1000)} s under ${CALLS} calls ` +
      `(fewest in conversation at once: ${fewest}): ${interrupted} dropped; ended: ${JSON.stringify(others)}`,
  )
}

/** Every call with a place on the node that is killed, also one that rings or is ordered before its death is known. */
async function callsOfTheDead(): Promise<{ readonly id: string; readonly status: string }[]> {
  const { rows } = await database.pool.query<{ id: string; status: string }>(
    `select call.id, call.status from call join call_lease on call_lease.call_id = call.id where node_id = 'node-2'`,
  )
  return rows
}

async function killOne(): Promise<void> {
  const held = await callsOfTheDead()
  const others = await countLive()
  const killedAt = Date.now()
  nodes.get(2)?.kill('SIGKILL')
  const ofTheDead = new Set(held.map(({ id }) => id))
  const calls = held.filter(({ status }) => status === 'in_progress')
  const ids = calls.map(({ id }) => id)
  let settledMs = 0
  await until(
    'the calls of the dead node to be settled',
    async () => {
      const { rows } = await database.pool.query('select from call where id = any($1) and completed_at is null', [ids])
      settledMs = Date.now() - killedAt
      for (const { id } of await callsOfTheDead()) ofTheDead.add(id)
      return rows.length === 0
    },
    60_000,
    100,
  )
  const { rows: ended } = await database.pool.query<{ seconds: number; connected: number }>(
    `select duration_seconds as seconds, extract(epoch from ($2::timestamptz - connected_at))::float as connected
     from call where id = any($1)`,
    [ids, new Date(killedAt)],
  )
  const offBy = ended.map(({ seconds, connected }) => seconds - connected * SPEED)
  const { rows: interrupted } = await database.pool.query<{ id: string }>(
    `select id from call where end_reason = 'interrupted' and completed_at >= $1`,
    [new Date(killedAt)],
  )
  const ofOthers = interrupted.filter(({ id }) => !ofTheDead.has(id))
  console.log(
    `kill -9 of one node with ${ids.length} of ${others} calls: settled within ${(settledMs / 1000).toFixed(1)} s; ` +
      `charged ${Math.min(...offBy).toFixed(1)} to ${Math.max(...offBy).toFixed(1)} s of call time more than the answer was ago at the kill; ` +
      `${ofOthers.length} calls of other nodes interrupted`,
  )
}

try {
  for (let number = 1; number <= NODES; number++) await startNode(number)
  const people = await makePeople()
  const stop = keepCalling(people)
  await until('all calls to be in conversation', async () => (await countLive()) >= 0.9 * CALLS, PHASE_MS, LOOK_MS)
  if (values.only !== 'kill') {
    await rollingRestart()
    await until('all calls to be in conversation', async () => (await countLive()) >= 0.9 * CALLS, PHASE_MS, LOOK_MS)
  }
  await killOne()
  await stop()
} finally {
  for (const node of nodes.values()) node.kill('SIGKILL')
  await database.close()
  await parley.dispose()
}
