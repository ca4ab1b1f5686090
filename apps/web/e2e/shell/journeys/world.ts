import type { Browser } from 'playwright-core'
import type { Running } from '../../../../standalone/src/world.ts'

export const API = 'https://api.parley.example'
export const WWW = 'https://localhost'

export interface ShellWorld {
  readonly parley: Running
  readonly browser: Browser
  /** The texts of the mails to an address, newest first: a product with a public address has no outbox page. */
  mailsTo(email: string): string[]
}
