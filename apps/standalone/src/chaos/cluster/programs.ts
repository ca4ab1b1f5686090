import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CALL_MINUTES_MAX } from '@parley/contract'
import { bucketEnvironment, paymentsEnvironment } from '@parley/sandbox'
import { HEAP_OPTIONS } from '@parley/voice/heap'
import { productOptions } from '../../world.ts'
import { bareEnvironment } from '../config.ts'
import type { Around } from '../sandbox-process.ts'
import { APART, APIS, HERE, type Links, linkOf, placeOf, type Places, urlOf, VOICES, WORKERS } from './links.ts'
import type { Namespace } from './namespace.ts'
import type { ProgramOptions } from './program.ts'

/** What the programs of a cluster are told. */
export interface Setting {
  readonly dir: string
  /** The checkout that its programs are of. */
  readonly root: string
  /** The checkout that they were of at first. */
  readonly firstRoot: string
  readonly capacity: number
  readonly links: Links
  readonly places: Places
  /** The server itself: each process reaches it by a link of its own. */
  readonly postgresUrl: string
  readonly namespace: Namespace | undefined
}

const AUTH_SECRET = 'the auth secret of a chaos run, at least 32 characters'
const VOICE_SECRET = 'the voice secret of a chaos run, at least 32 characters'
/** Calls are some seconds long. */
const SPEED = '10'
/** Longer than any call at that speed. */
const DRAIN_MS = 60_000
export const REDIS = 'redis-server'

/** The checkout that this file is of. */
export const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))
const logOf = ({ dir }: Setting, name: string) => join(dir, 'logs', `${name}.log`)

export const PROGRAMS = ['redis', 'sandbox', ...WORKERS, ...APIS, ...VOICES] as const
export type Name = (typeof PROGRAMS)[number]

export function programOf(setting: Setting, name: Name): ProgramOptions {
  switch (name) {
    case 'redis':
      return redisProgram(setting)
    case 'sandbox':
      return sandboxProgram(setting)
    case 'voice-1':
    case 'voice-2':
    case 'voice-3':
      return voiceProgram(setting, name)
    default:
      return apiProgram(setting, name)
  }
}

/** The internal listener of an api, as a part. */
export const internalOf = (api: string) => `${api} internal`

/** The parts that a program listens as. */
export function partsOf(name: Name): readonly string[] {
  if (name === 'sandbox') return ['payments', 'bucket']
  const apis: readonly string[] = APIS
  return apis.includes(name) ? [name, internalOf(name)] : [name]
}

/** The options that tests have added are for this checkout. A previous release hashes passwords at the real cost. */
const environmentOf = ({ root, firstRoot }: Pick<Setting, 'root' | 'firstRoot'>) => ({
  ...bareEnvironment(),
  ...(root === ROOT && productOptions({ hashesLightly: firstRoot === ROOT })),
})

/** An api or a worker. */
function apiProgram(setting: Setting, name: string): ProgramOptions {
  const { links, places } = setting
  const internal = places.get(internalOf(name))
  const database = new URL(setting.postgresUrl)
  database.port = String(linkOf(links, `${name} postgres`).port)
  const environment = {
    ...environmentOf(setting),
    ...paymentsEnvironment(urlOf(links, `${name} payments`), AUTH_SECRET),
    ...bucketEnvironment(urlOf(links, `${name} bucket`)),
    PARLEY_ROLE: internal ? 'api' : 'worker',
    HOST: HERE,
    PORT: String(placeOf(places, name).port),
    INTERNAL_PORT: String(internal?.port ?? 0),
    PUBLIC_URL: urlOf(links, `client ${APIS[0]}`),
    DATA_DIR: join(setting.dir, 'api'),
    DATABASE_URL: database.href,
    REDIS_URL: urlOf(links, `${name} redis`, 'redis'),
    AUTH_SECRET,
    VOICE_SECRET,
    // Nobody listens there: every voice service joins.
    VOICE_URL: `http://${HERE}:${placeOf(places, 'nobody').port}`,
    CALLING_HOURS: 'off',
    LIVE_CALLS_PER_ACCOUNT: '5',
    CALLS_PER_HOUR: '1000000',
    CREDITS_PER_DAY: '1000000',
    SIGN_IN_LIMIT_PER_MINUTE: '100000',
    REQUEST_LIMIT_PER_MINUTE: '1000000',
    LOG_LEVEL: 'warn',
  }
  const args = [join(setting.root, 'apps/api/src/server.ts')]
  return { name, command: process.execPath, args, environment, log: logOf(setting, name) }
}

function voiceProgram(setting: Setting, name: string): ProgramOptions {
  const { links, places, namespace } = setting
  const apart = name === APART ? namespace : undefined
  const { host, port } = placeOf(places, name)
  const environment = {
    ...environmentOf(setting),
    HOST: host,
    VOICE_PORT: String(port),
    NODE_ID: name,
    PRIVATE_URL: urlOf(links, `api ${name}`),
    API_URL: urlOf(links, `${name} api`),
    REDIS_URL: urlOf(links, `${name} redis`, 'redis'),
    VOICE_SECRET,
    CAPACITY: String(setting.capacity),
    SANDBOX_SPEED: SPEED,
    // One network, which knows of every node's calls.
    SANDBOX_RECORDS_DIR: join(setting.dir, 'simulated-calls'),
    DATA_DIR: join(setting.dir, name),
    // One that is stopped lets its calls end.
    DRAIN_MINUTES: String(CALL_MINUTES_MAX + 1),
    LOG_LEVEL: 'info',
  }
  const node = [process.execPath, ...HEAP_OPTIONS, join(setting.root, 'apps/standalone/src/voice-process.ts')]
  const [command = '', ...args] = [...(apart?.prefix ?? []), ...node]
  return { name, command, args, environment, log: logOf(setting, name), stopMs: DRAIN_MS }
}

/** Everything that it has is lost with it. */
function redisProgram(setting: Setting): ProgramOptions {
  const args = [
    '--bind',
    HERE,
    '--port',
    String(placeOf(setting.places, 'redis').port),
    '--save',
    '',
    '--appendonly',
    'no',
  ]
  const options = { name: 'redis', command: REDIS, args: [...args, '--dir', setting.dir] }
  return { ...options, environment: bareEnvironment(), log: logOf(setting, 'redis') }
}

function sandboxProgram(setting: Setting): ProgramOptions {
  const { dir, links, places } = setting
  const around: Around = {
    payments: placeOf(places, 'payments').port,
    bucket: placeOf(places, 'bucket').port,
    dataDir: join(dir, 'sandbox'),
    publicUrl: urlOf(links, `client ${APIS[0]}`),
    apiUrl: urlOf(links, 'payments api'),
    secret: AUTH_SECRET,
  }
  const args = [join(ROOT, 'apps/standalone/src/chaos/sandbox-process.ts'), JSON.stringify(around)]
  const options = {
    name: 'sandbox',
    command: process.execPath,
    args,
    environment: environmentOf({ ...setting, root: ROOT }),
  }
  return { ...options, log: logOf(setting, 'sandbox') }
}
