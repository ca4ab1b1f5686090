import type { BatchOverview } from '@parley/contract'
import type { CallsRoom } from '../calls/index.ts'
import type { ConsentRoom } from '../consent/index.ts'
import type { Floor } from '../floor.ts'
import type { Hooks } from '../platform/hooks.ts'

interface BatchEvents {
  /** A list has come to its end. */
  completed: [userId: string, batch: BatchOverview]
}

export type BatchHooks = Hooks<BatchEvents>

/** What every part of this room works with. */
export interface BatchesRoom extends Floor {
  readonly calls: CallsRoom
  readonly consent: ConsentRoom
  /** When this process began. */
  readonly since: Date
  readonly hooks: BatchHooks
  /** Has the pacer look as soon as it can. */
  nudge(): void
  /** Has the pages of a person told how far a list has come, soon. */
  tell(batchId: string): void
}
