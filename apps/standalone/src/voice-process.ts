import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const SERVER = fileURLToPath(import.meta.resolve('@parley/voice'))
const START_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 12_000
const RESTART_FIRST_MS = 500
const RESTART_MAX_MS = 10_000

export interface VoiceProcess {
  stop(): Promise<void>
}

/**
 * The voice service in a process of its own, so that pages never delay audio. It ends by itself when this process
 * is gone, and is started again, with growing pauses, when it dies alone.
 */
export async function startVoice(environment: NodeJS.ProcessEnv, say: (line: string) => void): Promise<VoiceProcess> {
  let child = await launch(environment)
  let stopping = false
  let pauseMs = RESTART_FIRST_MS
  let waiting: NodeJS.Timeout | undefined

  const restart = () => {
    if (stopping) return
    say(`The voice service stopped; starting it again.`)
    waiting = setTimeout(() => {
      pauseMs = Math.min(pauseMs * 2, RESTART_MAX_MS)
      launch(environment).then(watch, restart)
    }, pauseMs)
  }
  const watch = (next: ChildProcess) => {
    child = next
    child.once('exit', restart)
    if (stopping) child.disconnect()
  }
  watch(child)
  return {
    async stop() {
      stopping = true
      clearTimeout(waiting)
      await stopChild(child)
    },
  }
}

/** After a crash the earlier voice service may still be hanging up and hold the port for some seconds: try again. */
async function launch(environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    try {
      return await launchOnce(environment)
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, RESTART_FIRST_MS))
    }
  }
}

async function launchOnce(environment: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = fork(SERVER, [], { env: environment, execArgv: [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true })
  await new Promise<void>((ready, failed) => {
    const timer = setTimeout(() => {
      // Left to itself it would hold the port against the next one.
      child.kill('SIGKILL')
      failed(new Error('The voice service did not start in time.'))
    }, START_TIMEOUT_MS)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      child.removeAllListeners()
      act()
    }
    child.once('message', () => settle(ready))
    child.once('error', (error) => settle(() => failed(error)))
    child.once('exit', (code) => settle(() => failed(new Error(`The voice service ended with code ${code} while starting.`))))
  })
  return child
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((done) => child.once('exit', () => done()))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await gone
  clearTimeout(timer)
}
