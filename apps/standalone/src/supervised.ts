import { type ChildProcess, fork } from 'node:child_process'
import { hasEnded, keepRunning } from '@parley/api/keep-running'
import { z } from 'zod'

/**
 * A part of the product that is a process of its own, in a group of its own: a Ctrl-C in the terminal reaches the
 * supervisor alone.
 */
export interface Part {
  /** As sentences begin with it. */
  readonly name: string
  readonly entry: string
  readonly environment: NodeJS.ProcessEnv
  /** undefined: as long as it takes. */
  readonly startTimeoutMs?: number
  readonly stopTimeoutMs: number
  /** Its ports may still be held for so long by the one that ran before a crash. */
  readonly retryMs?: number
}

export interface Supervised {
  /** What it said when it began to do its work. */
  readonly told: Listening
  stop(): Promise<void>
}

export interface Watcher {
  readonly say: (line: string) => void
  /** A part died too often. */
  readonly giveUp: (sentence: string) => void
  /** A process of the part runs, or runs again. */
  readonly started?: (pid: number) => void
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal
}

const Told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), parts: z.array(z.string()).default([]) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
type Listening = Extract<z.infer<typeof Told>, { type: 'listening' }>

const RETRY_EVERY_MS = 500

/** Said by the part itself: trying again changes nothing. */
class StartFailure extends Error {}

/** Starts a part and keeps it running. It ends by itself when this process is gone. */
export async function supervise(part: Part, watcher: Watcher): Promise<Supervised> {
  const first = await launch(part, watcher)
  const start = async () => (await launch(part, watcher)).child
  const kept = keepRunning(first.child, { name: part.name, start, say: watcher.say, giveUp: watcher.giveUp })
  return { told: first.told, stop: () => kept.stop((child) => end(child, part.stopTimeoutMs)) }
}

interface Launched {
  readonly child: ChildProcess
  readonly told: Listening
}

async function launch(part: Part, watcher: Watcher): Promise<Launched> {
  const deadline = Date.now() + (part.retryMs ?? 0)
  for (;;) {
    try {
      return await launchOnce(part, watcher)
    } catch (error) {
      if (error instanceof StartFailure || watcher.signal?.aborted === true || Date.now() >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
    }
  }
}

async function launchOnce(
  { name, entry, environment, startTimeoutMs, stopTimeoutMs }: Part,
  watcher: Watcher,
): Promise<Launched> {
  const { signal } = watcher
  signal?.throwIfAborted()
  const child = fork(entry, [], {
    env: environment,
    execArgv: [],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    detached: true,
  })
  child.stderr?.on('data', (text: Buffer) => process.stderr.write(text))
  if (child.pid !== undefined) watcher.started?.(child.pid)
  const told = await new Promise<Listening>((ready, failed) => {
    const late = () => {
      // Left to itself it would hold the port against the next one.
      child.kill('SIGKILL')
      failed(new Error(`${name} did not start in time.`))
    }
    const timer = startTimeoutMs === undefined ? undefined : setTimeout(late, startTimeoutMs)
    const cut = () =>
      settle(() => void end(child, stopTimeoutMs).then(() => failed(new Error(`${name} was stopped while starting.`))))
    signal?.addEventListener('abort', cut)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', cut)
      child.removeAllListeners()
      act()
    }
    child.once('message', (message) => {
      const { data } = Told.safeParse(message)
      if (data?.type === 'listening') settle(() => ready(data))
      else
        settle(() => failed(new StartFailure(data?.message ?? `${name} said what nobody understands while starting.`)))
    })
    child.once('error', (error) => settle(() => failed(error)))
    child.once('exit', (code, signal) =>
      settle(() => failed(new Error(`${name} ended with ${signal ?? `code ${code}`} while starting.`))),
    )
  })
  return { child, told }
}

async function end(child: ChildProcess, timeoutMs: number): Promise<void> {
  if (hasEnded(child)) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await gone
  clearTimeout(timer)
}
