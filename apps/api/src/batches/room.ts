import type { BatchOverview } from '@parley/contract'
import type { CallsRoom } from '../calls/index.ts'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Bus } from '../platform/bus.ts'
import type { Disk } from '../platform/data/disk.ts'
import type { Db } from '../platform/db.ts'
import type { Hooks } from '../platform/hooks.ts'

interface BatchEvents {
  /** A batch has ended. */
  completed: [userId: string, batch: BatchOverview]
}

export type BatchHooks = Hooks<BatchEvents>

/** Dependencies of this room's functions. */
export interface BatchesRoom {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly bus: Bus
  readonly disk: Disk
  readonly calls: CallsRoom
  /** Start time of this process. */
  readonly since: Date
  readonly hooks: BatchHooks
  /** Requests a pacing round. */
  nudge(): void
  /** Publishes a batch's progress to its user's pages, throttled. */
  tell(batchId: string): void
}

/** For starting a batch, which may end at once. */
export type Beginning = Pick<BatchesRoom, 'hooks' | 'log'>
