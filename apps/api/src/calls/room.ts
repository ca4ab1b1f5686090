import type { Call, CallDetails, LiveMessage } from '@parley/contract'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { type Bus, userTopic } from '../platform/bus.ts'
import type { Disk } from '../platform/data/disk.ts'
import type { Db } from '../platform/db.ts'
import type { FileStore } from '../platform/files.ts'
import type { Hooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { CallRow } from './schema.ts'
import type { Voice } from './voice.ts'

export type ErasedWords = Pick<Call, 'transcript' | 'summary' | 'notes' | 'hasRecording'> &
  Pick<CallDetails, 'outcomes'>

/** What becomes of a call. */
interface CallEvents {
  started: [call: CallRow]
  /** `available` is what can be spent once the call has been charged. */
  ended: [call: CallRow, available: number]
  /** What came of a completed call is known: its outcomes and its summary. */
  wrappedUp: [call: CallRow]
  optedOut: [call: CallRow, quote: string]
  /** What was said in these calls is gone, and this stands in its place. */
  erased: [callIds: readonly string[], left: ErasedWords]
}

export type CallHooks = Hooks<CallEvents>

/** What every part of this room works with. */
export interface CallsRoom {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly jobs: Jobs
  readonly bus: Bus
  readonly files: FileStore
  readonly disk: Disk
  readonly voice: Voice
  readonly hooks: CallHooks
}

/** What it takes to end a call: at the voice service, in the database, and for all who are told. */
export type Concluding = Pick<CallsRoom, 'bus' | 'db' | 'hooks' | 'log' | 'voice'>

/** Tells the person's pages, once the transaction is through. */
export function announce(bus: Bus, userId: string, messages: readonly LiveMessage[]): void {
  for (const message of messages) bus.publish(userTopic(userId), message)
}
