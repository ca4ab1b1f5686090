import type { Clock } from '@parley/voice-ports'
import { readTraceparent } from '@parley/traces'
import type { Logger } from 'pino'
import { Report } from '../session/reporting/report.ts'
import type { FactKeeping, LeftCall } from './facts.ts'
import { endInterrupted, type InterruptedOptions } from './interrupted.ts'

export interface LeftCallsOptions extends InterruptedOptions {
  readonly facts: FactKeeping
  readonly apiUrl: string
  readonly secret: string
  readonly clock: Clock
  readonly log: Logger
}

const AT_ONCE = 20

/**
 * Ends the calls of earlier processes and reports what those could not. Resolves when the api has everything, or has
 * been waited for long; nothing is lost then, and it is sent on.
 */
export async function reportLeftCalls(options: LeftCallsOptions): Promise<void> {
  // One iterator, shared: each worker takes the next call.
  const calls = options.facts.left()[Symbol.asyncIterator]()
  const work = async () => {
    for (let next = await calls.next(); next.done !== true; next = await calls.next())
      await reportLeft(next.value, options)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function reportLeft(left: LeftCall, options: LeftCallsOptions): Promise<void> {
  const { apiUrl, secret, clock, facts } = options
  const { callId, token, traceparent } = left
  const traceId = readTraceparent(traceparent)?.traceId
  const callLog = traceId === undefined ? options.log : options.log.child({ traceId })
  const log = callLog.child({ callId })
  const store = facts.storeFor(callId, { token, traceparent })
  const credential = token ?? secret
  const report = new Report({ apiUrl, credential, callId, traceparent, clock, log: callLog, store, left })
  // What is there goes out while the carrier is asked.
  void report.flushed()
  await endInterrupted(left.facts, (body) => report.add(body), { ...options, log })
  report.complete()
  await report.flushed()
}
