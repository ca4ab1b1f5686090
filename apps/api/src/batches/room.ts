import type { BatchOverview } from '@parley/contract'
import type { CallsRoom } from '../calls/index.ts'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Bus } from '../platform/bus.ts'
import type { Disk } from '../platform/data/disk.ts'
import type { Db } from '../platform/db.ts'
import type { Hooks } from '../platform/hooks.ts'

interface BatchEvents {
  /** A list has come to its end. */
  completed: [userId: string, batch: BatchOverview]
}

export type BatchHooks = Hooks<BatchEvents>

/** What every part of this room works with. */
export interface BatchesRoom {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly bus: Bus
  readonly disk: Disk
  readonly calls: CallsRoom
  /** When this process began. */
  readonly since: Date
  readonly hooks: BatchHooks
  /** Has the pacer look as soon as it can. */
  nudge(): void
  /** Has the pages of a person told how far a list has come, soon. */
  tell(batchId: string): void
}

/** What it takes to begin a list, which may end at once. */
export type Beginning = Pick<BatchesRoom, 'hooks' | 'log'>
