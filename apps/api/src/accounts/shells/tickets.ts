import { randomBytes } from 'node:crypto'
import { ROUTES, type Ticket, TICKET_QUERY, TICKET_SECONDS, TICKET_SOCKETS } from '@parley/contract'
import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db, Reader } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import type { Actor } from '../../platform/http.ts'
import { session, ticket } from '../schema.ts'
import { sha256 } from '../sign-in/hashes.ts'

const TICKET_BYTES = 24
/** For reading a path as an address; nobody is asked there. */
const BASE = 'http://parley.invalid'

const TICKETED: readonly RegExp[] = [
  ...TICKET_SOCKETS,
  ...ROUTES.filter((route) => route.ticket === true).map(({ path }) => path),
].map((path) => new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '[^/]+')}$`))

/** A ticket for one request of this session, to this path and query alone. Throws `invalid_input` for other paths. */
export async function createTicket(db: Db, { sessionId }: Actor, path: string): Promise<Ticket> {
  const place = placeIn(path)
  if (sessionId === null || place === undefined || !TICKETED.some((each) => each.test(place.pathname)))
    throw new AppError('invalid_input', 'There are no tickets for this path.', { field: 'path' })
  const value = randomBytes(TICKET_BYTES).toString('base64url')
  const expiresAt = new Date(Date.now() + TICKET_SECONDS * 1000)
  await db
    .insert(ticket)
    .values({ hash: sha256(value, 'base64url'), sessionId, path: place.pathname + place.search, expiresAt })
  return { ticket: value, expiresAt: expiresAt.toISOString() }
}

/** The user of the ticket in an address. The ticket is used up, right or wrong. Throws `unauthenticated`. */
export async function takeTicket(db: Db, url: string): Promise<Actor> {
  const value = ticketIn(url)
  const place = placeIn(url)
  const [taken] =
    value === undefined
      ? []
      : await db
          .delete(ticket)
          .where(eq(ticket.hash, sha256(value, 'base64url')))
          .returning()
  const [found] =
    taken === undefined || taken.expiresAt <= new Date() || taken.path !== `${place?.pathname}${place?.search}`
      ? []
      : await db
          .select({ sessionId: session.id, userId: session.userId, steppedUpAt: session.steppedUpAt })
          .from(session)
          .where(and(eq(session.id, taken.sessionId), gt(session.expiresAt, new Date())))
  if (!found) throw new AppError('unauthenticated', 'This ticket has expired or was already used.')
  return { ...found, via: 'session' }
}

export function ticketIn(url: string): string | undefined {
  return new URL(url, BASE).searchParams.get(TICKET_QUERY) ?? undefined
}

/** The address without its ticket, its query in one order. */
function placeIn(path: string): URL | undefined {
  if (!URL.canParse(path, BASE)) return undefined
  const url = new URL(path, BASE)
  url.searchParams.delete(TICKET_QUERY)
  url.searchParams.sort()
  return url.origin === BASE ? url : undefined
}

export async function forgetExpiredTickets(reader: Reader): Promise<void> {
  await reader.delete(ticket).where(lt(ticket.expiresAt, new Date()))
}
