import { hashPassword } from 'better-auth/crypto'
import type { Floor } from '../floor.ts'
import type { Reader, Tx } from '../platform/db.ts'
import type { Auth } from './auth.ts'

/** What other rooms add to an account; this room does not know them. */
export interface AccountHooks {
  /** In the transaction in which the person proved the address. `firstTime`: no account ever had this address. */
  onVerified(tx: Tx, person: { userId: string; firstTime: boolean }): Promise<void>
  /** Credits that can be spent now. */
  spendable(reader: Reader, userId: string): Promise<number>
}

/** What the functions of this room work with. */
export interface AccountsRoom {
  readonly floor: Floor
  readonly auth: Auth
  readonly hooks: AccountHooks
  /** A hash of nothing anybody can type: unknown addresses take as long to refuse as wrong passwords. */
  readonly unmatchableHash: Promise<string>
}

export function unmatchableHash(): Promise<string> {
  return hashPassword(crypto.randomUUID())
}

/** Published when sessions of a person end: whoever keeps a connection open for one asks authenticate() again. */
export function sessionsTopic(userId: string): string {
  return `sessions:${userId}`
}
