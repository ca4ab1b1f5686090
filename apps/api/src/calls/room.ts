import type { Call, CallDetails, LiveMessage, ReportedFact } from '@parley/contract'
import type { Traces } from '@parley/traces'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Bus, userTopic } from '../platform/bus.ts'
import type { Disk } from '../platform/data/disk.ts'
import type { Db } from '../platform/db.ts'
import type { FileStore } from '../platform/files.ts'
import type { Hooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Previews } from './previews.ts'
import type { CallRow } from './schema.ts'
import type { Voice } from './voice.ts'

export type ErasedWords = Pick<Call, 'transcript' | 'summary' | 'notes' | 'hasRecording'> &
  Pick<CallDetails, 'outcomes'>

/** Events of a call; listeners run in its transaction. */
interface CallEvents {
  started: [call: CallRow]
  /** `available`: credits available after the charge. */
  ended: [call: CallRow, available: number]
  /** Outcomes and summary of a completed call have arrived. */
  wrappedUp: [call: CallRow]
  /** Something else was offered than was asked for, and only the user can decide. */
  asks: [call: CallRow]
  /** The callee asked what only the user can answer. */
  asked: [call: CallRow]
  optedOut: [call: CallRow, quote: string]
  /** The words of these calls were erased; `left` replaces them. */
  erased: [callIds: readonly string[], left: ErasedWords]
}

export type CallHooks = Hooks<CallEvents>

/** Facts that the voice service reports of a call. */
export interface FactsOfCall {
  readonly callId: string
  readonly facts: readonly ReportedFact[]
  /** Of the sender's lease. */
  readonly fence?: number | undefined
}

/** The number of the last fact stored. */
export interface Taken {
  readonly taken: number
}

/** Dependencies of this room's functions. */
export interface CallsRoom {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly jobs: Jobs
  readonly bus: Bus
  readonly files: FileStore
  readonly disk: Disk
  readonly voice: Voice
  readonly previews: Previews
  readonly traces: Traces
  readonly hooks: CallHooks
  /** Records facts that end a call, with others that come meanwhile. */
  readonly endings: (report: FactsOfCall) => Promise<Taken>
  /** nodes/: `soon` looks at dead nodes and the waiting line at once. */
  readonly nodes: ReturnType<Jobs['every']>
}

/** For ending a call: voice, database, hooks and messages. */
export type Concluding = Pick<CallsRoom, 'bus' | 'db' | 'hooks' | 'log' | 'voice'>

/** Publishes to the user's pages; call it after the commit. */
export function announce(bus: Bus, userId: string, messages: readonly LiveMessage[]): void {
  for (const message of messages) bus.publish(userTopic(userId), message)
}
