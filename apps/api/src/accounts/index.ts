import type { FastifyRequest } from 'fastify'
import { hashPassword } from 'better-auth/crypto'
import type { Floor } from '../floor.ts'
import { withTx } from '../platform/db.ts'
import type { Actor } from '../platform/http.ts'
import { createAuth } from './auth.ts'
import { addJobs } from './jobs.ts'
import { readEmail } from './passwords.ts'
import { admit } from './registration.ts'
import { type AccountHooks, type AccountsRoom, unmatchableHash } from './room.ts'
import { authenticate } from './sign-in.ts'

export { findPerson, type Person, settingsOf } from './profile.ts'
export { sessionsTopic } from './room.ts'
export { registerAccounts } from './routes.ts'

export interface Accounts {
  /** For this room's own routes. */
  readonly room: AccountsRoom
  /** Who a request's cookie signs in; null without a live session. */
  authenticate(request: Pick<FastifyRequest, 'headers' | 'ip'>): Promise<Actor | null>
  /** Adds a person whose address needs no proof, such as the demo user. Returns the id. */
  addPerson(person: { fullName: string; email: string; password: string }): Promise<string>
}

export function createAccounts(floor: Floor, hooks: AccountHooks): Accounts {
  const room: AccountsRoom = { floor, hooks, auth: createAuth(floor), unmatchableHash: unmatchableHash() }
  addJobs(room)
  return {
    room,
    authenticate: (request) => authenticate(room, request),
    async addPerson({ fullName, email, password }) {
      const passwordHash = await hashPassword(password)
      return withTx(floor.db, (tx) => admit(room, tx, { fullName, email: readEmail(email), passwordHash }))
    },
  }
}
