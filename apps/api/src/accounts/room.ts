import { hashPassword } from 'better-auth/crypto'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Bus } from '../platform/bus.ts'
import type { Db, Reader } from '../platform/db.ts'
import type { Hooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import type { Mailer } from '../platform/mail.ts'
import type { Auth } from './sign-in/auth.ts'
import type { Apple, Google } from './identities/providers.ts'

/** A file of an export, read when its turn comes. */
export interface ExportFile {
  readonly name: string
  read(): AsyncIterable<string | Uint8Array>
}

/** `identityKey` is a secret that comes out the same whenever this mailbox comes back; it is kept nowhere. */
interface AccountEvents {
  /** The person proved the address. `firstTime`: no account ever had this address. */
  verified: [person: { userId: string; firstTime: boolean; identityKey: string }]
  /** The account is closed: nothing more is done in the person's name. */
  closed: [person: { userId: string; identityKey: string }]
  /** Before the account's row goes away, and with it what belongs to it. */
  erased: [userId: string]
}

export type AccountHooks = Hooks<AccountEvents>

/** What this room asks of later rooms, which it does not know. */
export interface AccountNeeds {
  /** Credits that can be spent now, and those that calls hold. */
  credits(reader: Reader, userId: string): Promise<{ readonly available: number; readonly held: number }>
  /** Everything that other rooms keep about a person. */
  exportFiles(userId: string): Promise<readonly ExportFile[]>
  /** Asks the person's calls to end; how many have not yet. */
  endCalls(userId: string): Promise<number>
  /** Erases what was said in calls of these people that ended so many days ago. */
  eraseCalls(userIds: readonly string[], days: number): Promise<void>
}

/** What the functions of this room work with. */
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
  /** undefined: this way in is not available. */
  readonly google: Google | undefined
  readonly apple: Apple | undefined
  /** A hash of nothing anybody can type: unknown addresses take as long to refuse as wrong passwords. */
  readonly unmatchableHash: Promise<string>
}

/** What it takes to check what only this server can have made: a code, a link, a hash with its secret. */
export type DbAndConfig = Pick<AccountsRoom, 'config' | 'db'>

/** What it takes to have a link or a code mailed. */
export type Mailing = Pick<AccountsRoom, 'config' | 'db' | 'jobs'>

/** What it takes to make an account. */
export type Admitting = Pick<AccountsRoom, 'config' | 'db' | 'hooks' | 'jobs'>

/** What it takes to end sessions and to tell whoever keeps a connection open for one. */
export type Announcing = Pick<AccountsRoom, 'bus' | 'db'>

export function unmatchableHash(): Promise<string> {
  return hashPassword(crypto.randomUUID())
}

/** Published when sessions of a person end: whoever keeps a connection open for one asks authenticate() again. */
export function sessionsTopic(userId: string): string {
  return `sessions:${userId}`
}
