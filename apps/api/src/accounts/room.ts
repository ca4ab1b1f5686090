import { hashPassword } from 'better-auth/crypto'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Bus } from '../platform/bus.ts'
import type { Db, Reader } from '../platform/db.ts'
import type { Hooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Run } from '../platform/rounds/rounds.ts'
import type { Mailer } from '../platform/mail.ts'
import type { Auth } from './sign-in/auth.ts'
import type { Apple, Google } from './identities/providers.ts'

/** A file of an export, read when the zip reaches it. */
export interface ExportFile {
  readonly name: string
  /** Not compressed in the zip: sound hardly gets smaller. */
  readonly isStored?: boolean
  read(): AsyncIterable<string | Uint8Array>
}

/** Any number of files, made while they are read. */
export interface ExportFiles {
  /** For the progress alone. */
  readonly count: number
  readonly files: AsyncIterable<ExportFile>
}

/**
 * `identityKey`: a keyed hash of the mailbox, equal for every account that ever had it. `identityKeys`: under each key
 * that this server has and had, the present one first.
 */
interface AccountEvents {
  /** The address was verified. `firstTime`: no account has had this address before. */
  verified: [person: { userId: string; firstTime: boolean; identityKeys: readonly string[] }]
  /** The account was closed: no more calls or payments in its name. */
  closed: [person: { userId: string; identityKey: string }]
  /** Runs before the account's row is deleted with the few rows that are left. */
  erased: [userId: string]
}

export type AccountHooks = Hooks<AccountEvents>

/** Functions of later rooms, passed in so that this room does not import them. */
export interface AccountNeeds {
  /** Credits available now, and credits held by calls. */
  credits(reader: Reader, userId: string): Promise<{ readonly available: number; readonly held: number }>
  /** Everything that other rooms keep about a person. */
  exportFiles(userId: string): Promise<ExportFiles>
  /** Asks the user's calls to end. Returns how many are still live. */
  endCalls(userId: string): Promise<number>
  /** Deletes rows of a closed account until `isOver` or nothing is left. Returns whether any may be left. */
  eraseInPieces(userId: string, isOver: () => boolean): Promise<boolean>
  /** Erases transcripts and recordings of these users' calls that ended more than `days` days ago. */
  eraseCalls(userIds: readonly string[], days: number, run?: Run): Promise<void>
}

/** Dependencies of this room's functions. */
export interface AccountsRoom {
  readonly config: Config
  readonly log: Logger
  readonly db: Db
  readonly jobs: Jobs
  readonly bus: Bus
  readonly mailer: Mailer
  readonly auth: Auth
  readonly hooks: AccountHooks
  readonly needs: AccountNeeds
  /** undefined: this sign-in method is not configured. */
  readonly google: Google | undefined
  readonly apple: Apple | undefined
  /** A hash that no password matches, so that unknown addresses take as long to refuse as wrong passwords. */
  readonly unmatchableHash: Promise<string>
}

/** For checking codes, links and hashes made with this server's secret. */
export type DbAndConfig = Pick<AccountsRoom, 'config' | 'db'>

/** For mailing a link or a code. */
export type Mailing = Pick<AccountsRoom, 'config' | 'db' | 'jobs'>

/** For creating an account. */
export type Admitting = Pick<AccountsRoom, 'config' | 'db' | 'hooks' | 'jobs'>

/** For ending sessions and telling the open connections. */
export type Announcing = Pick<AccountsRoom, 'bus' | 'db'>

export function unmatchableHash(): Promise<string> {
  return hashPassword(crypto.randomUUID())
}

/** Topic published when sessions of a user end; open connections then call authenticate() again. */
export function sessionsTopic(userId: string): string {
  return `sessions:${userId}`
}
