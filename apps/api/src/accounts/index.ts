import { hashPassword } from 'better-auth/crypto'
import type { FastifyRequest } from 'fastify'
import { withTx } from '../platform/db.ts'
import { createHooks } from '../platform/hooks.ts'
import type { Actor } from '../platform/http.ts'
import { authenticateKey } from './keys/api-keys.ts'
import { createApple } from './identities/apple.ts'
import { type Asking, createAuth } from './sign-in/auth.ts'
import { addErasureJob, continueErasures, keepRetention } from './data/erasure.ts'
import { addExportJob, forgetOldExports } from './data/export.ts'
import { createGoogle } from './identities/google.ts'
import { addJobs } from './jobs.ts'
import { keepPastKeys } from './past-keys.ts'
import { resealFactors } from './second-factor/factor-secrets.ts'
import { readEmail } from './sign-in/passwords.ts'
import { admit, replacePassword } from './sign-in/registration.ts'
import { type AccountHooks, type AccountNeeds, type AccountsRoom, unmatchableHash } from './room.ts'
import { takeTicket } from './shells/tickets.ts'
import { tokenIn } from './shells/tokens.ts'
import { authenticate, isLive } from './sign-in/sign-in.ts'

export { EVENTS_KEPT } from './events.ts'
export { listFile, pagedFile } from './data/export-files.ts'
export { standingOfKeys } from './past-keys.ts'
export { findPerson, type Person, settingsOf, userIdOf } from './profile.ts'
export { sessionsTopic, type ExportFile, type ExportFiles } from './room.ts'
export { registerAccounts } from './routes.ts'

/** A confirmed account. A caller that creates many with one password can pass one hash for all. */
type NewPerson = { readonly fullName: string; readonly email: string } & (
  | { readonly password: string }
  | { readonly passwordHash: string }
)

export interface Accounts {
  /** For this room's own routes. */
  readonly room: AccountsRoom
  readonly hooks: AccountHooks
  /** The user of the request's session cookie; null without a live session. */
  authenticate(request: Asking): Promise<Actor | null>
  /** The user of the one-use ticket in a request's address, which is used up. Throws `unauthenticated`. */
  takeTicket(request: Pick<FastifyRequest, 'url'>): Promise<Actor>
  /** Whether the session that somebody came with is still there. */
  isSignedIn(actor: Actor): Promise<boolean>
  /** The user of an API key or of an app's token, or else of the session cookie; null for a visitor. Throws for an invalid key. */
  identify(request: Asking): Promise<Actor | null>
  /** Adds a user without address verification, such as the demo user. Returns the id. */
  addPerson(person: NewPerson): Promise<string>
  /** Replaces an account's password if it matches `from`, and ends its sessions. Returns whether it matched. */
  replacePassword(email: string, passwords: { from: string; to: string }): Promise<boolean>
}

type Given = Pick<AccountsRoom, 'bus' | 'config' | 'db' | 'jobs' | 'log' | 'mailer'>

const RETENTION_EVERY_MS = 3_600_000
const KEYS_EVERY_MS = 300_000

export function createAccounts(given: Given, needs: AccountNeeds): Accounts {
  const { config, db, jobs } = given
  const ways = { google: createGoogle(config.google), apple: createApple(config.apple) }
  const own = { hooks: createHooks(), auth: createAuth(given), unmatchableHash: unmatchableHash() }
  const room: AccountsRoom = { ...given, needs, ...ways, ...own }
  addJobs(room)
  addExportJob(room)
  addErasureJob(room)
  jobs.every('accounts.erasures', RETENTION_EVERY_MS, () => continueErasures(room))
  jobs.every('accounts.retention', RETENTION_EVERY_MS, async (run) => {
    await forgetOldExports(db, run)
    await keepRetention(room, run)
  })
  addKeyTasks(room)
  return {
    room,
    hooks: room.hooks,
    authenticate: (request) => authenticate(room, request),
    takeTicket: ({ url }) => takeTicket(db, url),
    isSignedIn: ({ sessionId }) => isLive(db, sessionId ?? ''),
    async identify(request) {
      const { authorization } = request.headers
      return authorization === undefined || tokenIn(request) !== undefined
        ? authenticate(room, request)
        : authenticateKey(room.db, authorization)
    },
    async addPerson({ fullName, email, ...secret }) {
      const passwordHash = 'passwordHash' in secret ? secret.passwordHash : await hashPassword(secret.password)
      return withTx(db, (tx) => admit(room, tx, { fullName, email: readEmail(email), passwordHash, confirmed: true }))
    },
    replacePassword: (email, passwords) => replacePassword(room, email, passwords),
  }
}

/** After a rotation of AUTH_SECRET: what an older key has sealed is sealed anew. */
function addKeyTasks({ config: { authKeys }, db, jobs, log }: AccountsRoom): void {
  jobs.first(() => keepPastKeys(db, authKeys))
  jobs.every('accounts.keys', KEYS_EVERY_MS, async (run) => {
    await keepPastKeys(db, authKeys)
    const lost = await resealFactors(db, authKeys, run)
    if (lost > 0)
      log.error({ lost }, 'no key of AUTH_SECRET opens these second factors: put their key back on the list')
  })
}
