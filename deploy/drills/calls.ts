import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, type Person, until } from '../../apps/standalone/src/world.ts'
import { HEAP_OPTIONS } from '../../apps/voice/src/heap.ts'
import type { Drills, Stage } from './stage.ts'

// Places and the waiting line.

/** Talks until the time limit. */
const TALKS_ON = '+12025550111'
const ENTRY = fileURLToPath(new URL('../../apps/standalone/src/voice-process.ts', import.meta.url))

/** The number of calls in conversation. */
async function converse(person: Person, calls: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < calls; at++) ids.push((await person.place(TALKS_ON, { maxDurationMinutes: 4 })).id)
  return ids
}

const stop = async (person: Person, ids: readonly string[]) => {
  for (const id of ids) await person.send('PATCH', `/api/calls/${id}`, { action: 'stop' })
  for (const id of ids) await person.ended(id, 60_000)
}

/** Another voice service beside that of the product. Returns it once it has joined. */
async function startVoice({ parley, internalPort, prometheus }: Stage): Promise<ChildProcess> {
  const secrets = JSON.parse(await readFile(join(parley.dataDir, 'secrets.json'), 'utf8')) as { voice: string }
  const port = await freePort()
  const child = spawn(process.execPath, [...HEAP_OPTIONS, ENTRY], {
    stdio: 'ignore',
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      VOICE_PORT: String(port),
      NODE_ID: 'voice-2',
      PRIVATE_URL: `http://127.0.0.1:${port}`,
      API_URL: `http://127.0.0.1:${internalPort}`,
      VOICE_SECRET: secrets.voice,
      DATA_DIR: join(parley.dataDir, 'voices', '2'),
      SANDBOX_RECORDS_DIR: join(parley.dataDir, 'simulated-calls'),
      LOG_LEVEL: 'silent',
    },
  })
  const joined = async () => (await prometheus.query('sum(parley_voice_nodes_count{state="ready"})')) === '2'
  await until('the second voice service to join', joined, 60_000)
  return child
}

async function ended(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null) return
  const gone = new Promise((done) => void child.once('exit', done))
  child.kill('SIGTERM')
  await gone
}

/** `more` calls than there are places. */
function full(more: number, said: string): ReturnType<Drills[string]> {
  let person: Person
  let ids: string[] = []
  let second: ChildProcess | undefined
  return {
    async begin(stage) {
      person = await stage.person()
      ids = await converse(person, 2 + more)
      return said
    },
    async look({ prometheus }) {
      const leases = await prometheus.query('sum(parley_voice_leases_count)')
      const places = await prometheus.query('sum(parley_voice_places_count{state="ready"})')
      const draining = await prometheus.query('sum(parley_voice_draining)')
      return `${leases} of ${places} places were taken; draining: ${draining}.`
    },
    async mend(stage) {
      second = await startVoice(stage)
      return 'Another voice service was started beside it, and joined.'
    },
    async after() {
      await stop(person, ids)
      await ended(second)
    },
  }
}

export const calls: Drills = {
  WaitingForLine: () => full(1, 'Three calls were placed while the voice service had two places.'),
  PlacesAlmostTaken: () => full(0, 'Two calls took both places of the voice service.'),
}
