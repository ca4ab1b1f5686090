import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A network namespace with one interface towards this machine, which can be set down. */
export interface Namespace {
  /** What is started with this before its command runs inside. */
  readonly prefix: readonly string[]
  /** Of this machine, as seen from inside. */
  readonly outside: string
  /** Of what listens inside, as seen from this machine. */
  readonly inside: string
  down(): Promise<void>
  up(): Promise<void>
  close(): Promise<void>
}

const NETWORKS = 250

/** Or why this machine lets this user make none. */
export async function openNamespace(): Promise<Namespace | { readonly refused: string }> {
  const name = `parley-chaos-${process.pid}`
  const [near, far] = [`pc${process.pid}a`, `pc${process.pid}b`]
  const network = `10.213.${process.pid % NETWORKS}`
  const [outside, inside] = [`${network}.1`, `${network}.2`]
  const ip = (...args: string[]) => run('ip', args)
  const close = async () => {
    // The interfaces go with it.
    await ip('netns', 'delete', name).catch(() => undefined)
    await ip('link', 'delete', near).catch(() => undefined)
  }
  try {
    await ip('netns', 'add', name)
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', name)
    await ip('address', 'add', `${outside}/30`, 'dev', near)
    await ip('link', 'set', near, 'up')
    for (const args of [
      ['address', 'add', `${inside}/30`, 'dev', far],
      ['link', 'set', far, 'up'],
      ['link', 'set', 'lo', 'up'],
    ])
      await ip('-netns', name, ...args)
  } catch (error) {
    await close()
    return { refused: error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error) }
  }
  return {
    prefix: ['ip', 'netns', 'exec', name],
    outside,
    inside,
    down: async () => void (await ip('link', 'set', near, 'down')),
    up: async () => void (await ip('link', 'set', near, 'up')),
    close,
  }
}
