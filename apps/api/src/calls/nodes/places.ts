import { and, isNull, notExists, sql } from 'drizzle-orm'
import type { Reader } from '../../platform/db.ts'
import type { CallsRoom } from '../room.ts'
import { call, callLease } from '../schema.ts'
import { batchPlacesOf, countPlaces } from './leases.ts'

/** How many more calls of batches find a place now, so that a batch does not fill the waiting line. */
export async function batchPlaces({ db, voice }: Pick<CallsRoom, 'db' | 'voice'>): Promise<number> {
  const alone = await voice.alone()
  const unplaced = await countUnplaced(db)
  if (alone === null) {
    const { places, held } = await countPlaces(db, false)
    return Math.max(0, places - held - unplaced)
  }
  // Without its health nothing is known: the service refuses what is too much.
  if (alone.health === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, batchPlacesOf(alone.health.capacity) - alone.health.calls - unplaced)
}

/** Live calls that no node has yet. */
function countUnplaced(reader: Reader): Promise<number> {
  const lease = reader
    .select({ one: sql`1` })
    .from(callLease)
    .where(sql`${callLease.callId} = ${call.id}`)
  return reader.$count(call, and(isNull(call.completedAt), isNull(call.takenAt), notExists(lease)))
}
