import { type ChildProcess, fork } from 'node:child_process'
import { hasEnded, keepRunning } from '@parley/api/keep-running'
import { z } from 'zod'

/**
 * A service of the product in its own process and process group: Ctrl-C in the terminal reaches the supervisor only.
 */
export interface Service {
  /** Begins sentences: "The api". */
  readonly name: string
  readonly entry: string
  /** Options of Node. */
  readonly nodeOptions?: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  /** undefined: no limit. */
  readonly startTimeoutMs?: number
  readonly stopTimeoutMs: number
  /** How long the process of an earlier run may still hold its ports. */
  readonly retryMs?: number
}

export interface Supervised {
  /** Its message when it was ready. */
  readonly told: Listening
  stop(): Promise<void>
}

export interface Watcher {
  readonly say: (line: string) => void
  /** A service died too often. */
  readonly giveUp: (sentence: string) => void
  /** A process of the service was started or restarted. */
  readonly started?: (pid: number) => void
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal
}

const Told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), components: z.array(z.string()).default([]) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
])
type Listening = Extract<z.infer<typeof Told>, { type: 'listening' }>

const RETRY_EVERY_MS = 500

/** The process itself reported why it cannot start: a retry changes nothing. */
class StartFailure extends Error {}

/** Starts a service and keeps it running. The process ends by itself when this one is gone. */
export async function supervise(service: Service, watcher: Watcher): Promise<Supervised> {
  const first = await launch(service, watcher)
  const start = async () => (await launch(service, watcher)).child
  const kept = keepRunning(first.child, { name: service.name, start, say: watcher.say, giveUp: watcher.giveUp })
  return { told: first.told, stop: () => kept.stop((child) => end(child, service.stopTimeoutMs)) }
}

/** Several services as one. When one cannot start, the others are stopped. */
export async function superviseAll(services: readonly Service[], watcher: Watcher): Promise<Supervised> {
  const begun = await Promise.allSettled(services.map((service) => supervise(service, watcher)))
  const running = begun.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const stop = async () => void (await Promise.all(running.map((each) => each.stop())))
  const failure = begun.find((each) => each.status === 'rejected')
  if (failure) await stop()
  if (failure) throw failure.reason
  return { told: { type: 'listening', components: running.flatMap(({ told }) => told.components) }, stop }
}

interface Launched {
  readonly child: ChildProcess
  readonly told: Listening
}

async function launch(service: Service, watcher: Watcher): Promise<Launched> {
  const deadline = Date.now() + (service.retryMs ?? 0)
  for (;;) {
    try {
      return await launchOnce(service, watcher)
    } catch (error) {
      if (error instanceof StartFailure || watcher.signal?.aborted === true || Date.now() >= deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
    }
  }
}

async function launchOnce(
  { name, entry, nodeOptions = [], environment, startTimeoutMs, stopTimeoutMs }: Service,
  watcher: Watcher,
): Promise<Launched> {
  const { signal } = watcher
  signal?.throwIfAborted()
  const child = fork(entry, [], {
    env: environment,
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    detached: true,
  })
  child.stderr?.on('data', (text: Buffer) => process.stderr.write(text))
  if (child.pid !== undefined) watcher.started?.(child.pid)
  const told = await new Promise<Listening>((ready, failed) => {
    const late = () => {
      // A late process would hold the port against its successor.
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
      else settle(() => failed(new StartFailure(data?.message ?? `${name} sent an unknown message while starting.`)))
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
