import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../platform/db.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Mailer } from '../platform/mail.ts'
import type { Outgoing } from './outgoing.ts'
import type { PushSenders } from './push/port.ts'

/** Dependencies of this room's functions. */
export interface NoticesRoom {
  readonly config: Config
  readonly db: Db
  readonly jobs: Jobs
  readonly mailer: Mailer
  readonly outgoing: Outgoing
  readonly log: Logger
  readonly push: PushSenders
}
