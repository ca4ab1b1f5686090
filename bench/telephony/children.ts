import { type ChildProcess, fork } from 'node:child_process'
import { HEAP_OPTIONS } from '../../apps/voice/src/heap.ts'

/** What a far end is asked; it answers each question once, in order. */
export type FarQuestion =
  | { readonly type: 'twilio'; readonly talks: boolean }
  | { readonly type: 'connect'; readonly url: string; readonly count: number }
  | { readonly type: 'bind'; readonly count: number }
  | { readonly type: 'send'; readonly ports: readonly number[] }
  | { readonly type: 'stop' }
  | { readonly type: 'bill' }

export interface TwilioAccessAt {
  readonly url: string
  readonly accountSid: string
  readonly authToken: string
  readonly number: string
}

export interface RoundOrder {
  readonly calls: number
  readonly settleMs: number
  readonly measureMs: number
}

export interface Round {
  /** Share of one core, of all calls. */
  readonly cpu: number
  readonly frames: number
  /** p50 and p99 in ms. */
  readonly in: readonly [number, number]
  readonly out: readonly [number, number]
  /** Share of frames that came more than 20 ms past due. */
  readonly late: number
}

const ANSWER_MS = 120_000

export function start(role: string, kind: string, file = '../telephony.ts'): ChildProcess {
  return fork(new URL(file, import.meta.url).pathname, [role, kind], { execArgv: ['--expose-gc', ...HEAP_OPTIONS] })
}

/** Runs a role as its own process until it ends, with the options that the voice service has. Its exit code. */
export function runRole(role: string, args: readonly string[]): Promise<number> {
  const execArgv = ['--expose-gc', ...HEAP_OPTIONS]
  const child = fork(new URL('../telephony.ts', import.meta.url).pathname, [role, ...args], { execArgv })
  return new Promise((ended) => child.once('exit', (code) => ended(code ?? 1)))
}

/** The child answers with what the caller names: both are of this folder, so the cast holds. */
export function ask<T>(
  child: ChildProcess,
  question: FarQuestion | RoundOrder | { readonly type: string },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = () => {
      clearTimeout(timer)
      child.off('message', answered).off('exit', gone)
    }
    const answered = (message: unknown) => {
      done()
      resolve(message as T)
    }
    const gone = () => {
      done()
      reject(new Error('A process of the bench has ended.'))
    }
    const timer = setTimeout(gone, ANSWER_MS + ('measureMs' in question ? Number(question.measureMs) : 0))
    child.on('message', answered).on('exit', gone)
    child.send(question)
  })
}

/** Answers the questions of the parent in turn, and ends with it. */
export function answering<Q>(answer: (question: Q) => Promise<unknown>): void {
  process.on('message', (question) => {
    answer(question as Q).then(
      (reply) => process.send?.(reply ?? null),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
  process.on('disconnect', () => process.exit(0))
}
