import type { Call, CallDetails, LiveMessage } from '@parley/contract'
import type { Floor } from '../floor.ts'
import { type Bus, userTopic } from '../platform/bus.ts'
import type { Tx } from '../platform/db.ts'
import type { CallRow } from './schema.ts'
import type { Voice } from './voice.ts'

export type ErasedWords = Pick<Call, 'transcript' | 'summary' | 'notes' | 'hasRecording'> &
  Pick<CallDetails, 'outcomes'>

/** What later rooms do when something becomes of a call, in the transaction that writes it. */
export interface CallHooks {
  started?(tx: Tx, call: CallRow): Promise<void>
  /** `available` is what can be spent once the call has been charged. */
  ended?(tx: Tx, call: CallRow, available: number): Promise<void>
  /** What came of a completed call is known: its outcomes and its summary. */
  wrappedUp?(tx: Tx, call: CallRow): Promise<void>
  optedOut?(tx: Tx, call: CallRow, quote: string): Promise<void>
  /** What was said in these calls is gone, and this stands in its place. */
  erased?(tx: Tx, callIds: readonly string[], left: ErasedWords): Promise<void>
}

/** What every part of this room works with. */
export interface CallsRoom extends Floor {
  readonly voice: Voice
  /** Filled by the rooms that are built later. */
  readonly hooks: CallHooks[]
}

/** Tells the person's pages, once the transaction is through. */
export function announce(bus: Bus, userId: string, messages: readonly LiveMessage[]): void {
  for (const message of messages) bus.publish(userTopic(userId), message)
}
