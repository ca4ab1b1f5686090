import type { BatchOverview } from '@parley/contract'
import type { CallsRoom } from '../calls/index.ts'
import type { ConsentRoom } from '../consent/index.ts'
import type { Floor } from '../floor.ts'
import type { Tx } from '../platform/db.ts'

/** What later rooms do when a list has come to its end, in the transaction that writes it. */
interface BatchHooks {
  completed(tx: Tx, userId: string, batch: BatchOverview): Promise<void>
}

/** What every part of this room works with. */
export interface BatchesRoom extends Floor {
  readonly calls: CallsRoom
  readonly consent: ConsentRoom
  /** When this process began. */
  readonly since: Date
  /** Filled by the rooms that are built later. */
  readonly batchHooks: BatchHooks[]
  /** Has the pacer look as soon as it can. */
  nudge(): void
  /** Has the pages of a person told how far a list has come, soon. */
  tell(batchId: string): void
}
