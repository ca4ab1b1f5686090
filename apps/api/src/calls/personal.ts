import { and, asc, eq, inArray } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { afterCursor } from '../platform/pages.ts'
import { call, callerNumber, callerVerification, callEvent, callSummary, callTemplate, callTurn } from './schema.ts'

type Place = Pick<typeof call.$inferSelect, 'createdAt' | 'id'>

/** The calls room's files of a data export; recordings are separate files. */
export function callFiles(reader: Reader, userId: string): readonly ExportFile[] {
  return [
    listFile('call-templates.json', () =>
      reader.select().from(callTemplate).where(eq(callTemplate.userId, userId)).orderBy(asc(callTemplate.id)),
    ),
    listFile('caller-numbers.json', () =>
      reader.select().from(callerNumber).where(eq(callerNumber.userId, userId)).orderBy(asc(callerNumber.phone)),
    ),
    listFile('calls-with-codes.json', () =>
      reader
        .select()
        .from(callerVerification)
        .where(eq(callerVerification.userId, userId))
        .orderBy(asc(callerVerification.createdAt)),
    ),
    pagedFile<Place>('calls.json', (last, limit) => callPage(reader, userId, last, limit)),
  ]
}

/** A page of calls with transcripts and results, in the order of the account's index. */
async function callPage(reader: Reader, userId: string, last: Place | undefined, limit: number) {
  const after = last && afterCursor({ at: last.createdAt, id: last.id }, { at: call.createdAt, id: call.id })
  const calls = await reader
    .select()
    .from(call)
    .where(and(eq(call.userId, userId), after))
    .orderBy(asc(call.createdAt), asc(call.id))
    .limit(limit)
  const ids = calls.map(({ id }) => id)
  const [turns, events, summaries] = await Promise.all([
    reader.select().from(callTurn).where(inArray(callTurn.callId, ids)).orderBy(asc(callTurn.index)),
    reader.select().from(callEvent).where(inArray(callEvent.callId, ids)).orderBy(asc(callEvent.id)),
    reader.select().from(callSummary).where(inArray(callSummary.callId, ids)),
  ])
  const ofCall = ({ callId }: { readonly callId: string }) => callId
  const turnsOf = Map.groupBy(turns, ofCall)
  const eventsOf = Map.groupBy(events, ofCall)
  const summaryOf = new Map(summaries.map((each) => [each.callId, each]))
  return calls.map((each) => ({
    ...each,
    turns: turnsOf.get(each.id) ?? [],
    events: eventsOf.get(each.id) ?? [],
    summary: summaryOf.get(each.id) ?? each.summary,
  }))
}
