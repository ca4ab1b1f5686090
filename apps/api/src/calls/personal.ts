import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { type ExportFile, listFile, pagedFile } from '../accounts/index.ts'
import type { Reader } from '../platform/db.ts'
import { call, callerNumber, callerVerification, callEvent, callSummary, callTemplate, callTurn } from './schema.ts'

type Call = typeof call.$inferSelect

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
    pagedFile<Pick<Call, 'id'>>('calls.json', (last, limit) => callPage(reader, userId, last, limit)),
  ]
}

/** A page of calls with transcripts and results. */
async function callPage(reader: Reader, userId: string, last: Pick<Call, 'id'> | undefined, limit: number) {
  const calls = await reader
    .select()
    .from(call)
    .where(and(eq(call.userId, userId), last && gt(call.id, last.id)))
    .orderBy(asc(call.id))
    .limit(limit)
  const ids = calls.map(({ id }) => id)
  const [turns, events, summaries] = await Promise.all([
    reader.select().from(callTurn).where(inArray(callTurn.callId, ids)).orderBy(asc(callTurn.index)),
    reader.select().from(callEvent).where(inArray(callEvent.callId, ids)).orderBy(asc(callEvent.id)),
    reader.select().from(callSummary).where(inArray(callSummary.callId, ids)),
  ])
  const of = <T extends { callId: string }>(rows: readonly T[], id: string) =>
    rows.filter(({ callId }) => callId === id)
  return calls.map((each) => ({
    ...each,
    turns: of(turns, each.id),
    events: of(events, each.id),
    summary: of(summaries, each.id)[0] ?? each.summary,
  }))
}
