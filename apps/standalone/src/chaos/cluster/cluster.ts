import { execFile } from 'node:child_process'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createDatabase, type Database, startEmbeddedPostgres } from '@parley/api/testing'
import { freePort, until } from '../../world.ts'
import { APART, APIS, HERE, type Links, openLinks, placeOf, type Places, urlOf, VOICES, WORKERS } from './links.ts'
import { type Namespace, openNamespace } from './namespace.ts'
import { internalOf, type Name, partsOf, programOf, PROGRAMS, REDIS, ROOT } from './programs.ts'
import { Program } from './program.ts'
import type { Address } from './proxy.ts'
import { Receiver } from './receiver.ts'
import { Relay } from './relay.ts'
import { wellnessOf } from './wellness.ts'

export interface ClusterOptions {
  readonly dir: string
  /** The checkout that its programs are of at first; this one where none is given. */
  readonly root?: string
  /** Those that are started; all where none are given. */
  readonly names?: readonly Name[]
  /** Calls at once of each voice node. */
  readonly capacity: number
  readonly say: (line: string) => void
}

/** A Parley of several processes of each kind, with our proxies between any two of them. */
export interface Cluster {
  /** The proxies before each api, api-1 first. */
  readonly apiUrls: readonly string[]
  /** The one that pages would be served from: it may write. */
  readonly origin: string
  readonly webhookUrl: string
  readonly programs: ReadonlyMap<string, Program>
  readonly links: Links
  readonly relay: Relay
  readonly receiver: Receiver
  readonly database: Database
  readonly dirs: { readonly api: string; readonly voices: readonly string[] }
  readonly paymentsUrl: string
  /** undefined: `link` faults are left out. */
  readonly namespace: Namespace | undefined
  /** Immediate, as if its machine lost power; it is started again. */
  killPostgres(): Promise<void>
  /** Stops a process and starts the one of this checkout in its place. */
  renew(name: Name): Promise<void>
  /** Whether a part, or what stands at an end of a link, does its work. */
  readonly isWell: (name: string) => Promise<boolean>
  close(): Promise<void>
}

/** Eleven processes at once, beside other work. */
const START_MS = 300_000
const DATABASE = 'parley'

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dir, root = ROOT, names = PROGRAMS, capacity, say } = options
  const [apis, voices] = [APIS.filter((name) => names.includes(name)), VOICES.filter((name) => names.includes(name))]
  // Close functions of what has started, the last first.
  const begun: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of begun.splice(0)) await end()
  }
  try {
    await checkRedisServer()
    for (const folder of ['logs', 'api', 'sandbox', ...voices]) await mkdir(join(dir, folder), { recursive: true })
    const namespace = names.includes(APART) ? await namespaceOrNone(say) : undefined
    begun.unshift(async () => namespace?.close())
    const postgres = await startPostgres(join(dir, 'postgres'), say)
    begun.unshift(() => postgres.stop())
    const receiver = await Receiver.listen()
    begun.unshift(() => receiver.close())
    const free = await takePlaces(names)
    const relay = await Relay.listen(apis.map((name) => placeOf(free, internalOf(name)).port))
    begun.unshift(() => relay.close())
    const places: Places = new Map([
      ...free,
      ['postgres', here(postgres.port)],
      ['receiver', here(receiver.port)],
      ['relay', here(relay.port)],
      ...(namespace ? [[APART, { ...placeOf(free, APART), host: namespace.inside }] as const] : []),
    ])
    const links = await openLinks(places, namespace?.outside ?? HERE)
    begun.unshift(() => Promise.all([...links.values()].map((link) => link.close())))
    const database = createDatabase(postgres.url, { poolSize: 4 })
    begun.unshift(() => database.close())
    const setting = { dir, root, firstRoot: root, capacity, links, places, postgresUrl: postgres.url, namespace }
    const programs = new Map(names.map((name) => [name, new Program(programOf(setting, name))]))
    begun.unshift(() => closePrograms(programs))
    const wellness = wellnessOf(places, database)
    const isWell = async (name: string) => (await wellness.get(name)?.()) ?? true
    for (const name of programs.keys()) await until(`${name} to be ready`, () => isWell(name), START_MS)
    return {
      apiUrls: apis.map((name) => urlOf(links, `client ${name}`)),
      origin: urlOf(links, `client ${APIS[0]}`),
      webhookUrl: urlOf(links, 'worker receiver'),
      programs,
      links,
      relay,
      receiver,
      database,
      dirs: { api: join(dir, 'api'), voices: voices.map((name) => join(dir, name)) },
      paymentsUrl: `http://${HERE}:${placeOf(places, 'payments').port}`,
      namespace,
      killPostgres: () => postgres.kill(),
      async renew(name) {
        await programs.get(name)?.replace(programOf({ ...setting, root: ROOT }, name))
        await until(`${name} to be ready again`, () => isWell(name), START_MS)
      },
      isWell,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

async function checkRedisServer(): Promise<void> {
  await promisify(execFile)(REDIS, ['--version']).catch((cause: unknown) => {
    throw new Error(`There is no ${REDIS} here: install it, as with "apt-get install redis-server".`, {
      cause,
    })
  })
}

async function namespaceOrNone(say: (line: string) => void): Promise<Namespace | undefined> {
  const opened = await openNamespace()
  if (!('refused' in opened)) return opened
  say(`No network namespace (${opened.refused}): faults of kind "link" are left out.`)
  return undefined
}

const here = (port: number) => ({ host: HERE, port })

/** Free ports for what is started. */
async function takePlaces(names: readonly Name[]): Promise<Places> {
  const parts = [...names.flatMap(partsOf), 'nobody']
  const places = new Map<string, Address>()
  for (const part of parts) places.set(part, here(await freePort()))
  return places
}

/** Voice nodes first: they still report to the api. */
async function closePrograms(programs: ReadonlyMap<string, Program>): Promise<void> {
  const voices: readonly string[] = VOICES
  const all = [...programs.values()]
  await Promise.all(all.filter(({ name }) => voices.includes(name)).map((program) => program.close()))
  await Promise.all(all.filter(({ name }) => !voices.includes(name)).map((program) => program.close()))
}

/** The embedded server, killed without a checkpoint and started again on the same port. */
async function startPostgres(dir: string, say: (line: string) => void) {
  let failure: string | undefined
  const pace = { firstPauseMs: 300, longestPauseMs: 300, deathsMax: Number.MAX_SAFE_INTEGER }
  const keep = { say: () => undefined, giveUp: (sentence: string) => say((failure = sentence)), pace }
  const server = await startEmbeddedPostgres(dir, { keep })
  const admin = createDatabase(server.url, { poolSize: 1 })
  await admin.pool.query(`create database ${DATABASE}`)
  await admin.close()
  const url = server.databaseUrl(DATABASE)
  return {
    url,
    port: Number(new URL(url).port),
    stop: () => server.stop(),
    async kill() {
      if (failure !== undefined) throw new Error(failure)
      const [pid] = (await readFile(join(dir, 'data/postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGQUIT')
    },
  }
}

/** The parts that a fault of a target concerns, which are well again when it is over. */
export function concernedBy(target: string): readonly string[] {
  if (target === 'postgres' || target === 'redis') return [target, ...APIS, ...WORKERS]
  return target.split(' ').flatMap((end) => (end === 'payments' || end === 'bucket' ? ['sandbox'] : [end]))
}
