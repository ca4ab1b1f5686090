import { and, eq, inArray, lt, type SQL, sql, type SQLWrapper } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Db } from '../db.ts'
import { passedOver } from '../schema.ts'
import { kindOf } from './error-kind.ts'
import type { Run } from './rounds.ts'

// One failing account never starves the rest: it is passed over until its back-off ends, and then tried again.

const FIRST_RETRY_SECONDS = 30
const RETRY_SECONDS_MAX = 6 * 3600
/** More doublings exceed the longest wait. */
const DOUBLINGS_MAX = 20
/** Longer than any back-off: what nobody tries any more is forgotten. */
const KEPT_DAYS = 2

/** A condition of the query that finds what is due, so that the passed over do not fill it. */
export function isNotPassedOver(task: string, subject: SQLWrapper): SQL {
  return sql`not exists (select from ${passedOver} where ${passedOver.task} = ${task}
    and ${passedOver.subject} = ${subject} and ${passedOver.retryAt} > now())`
}

interface Given<T> {
  readonly room: { readonly db: Db; readonly log: Logger }
  readonly task: string
  readonly items: readonly T[]
  /** What a failure is of: an id, never a name or number. */
  readonly subjectOf: (item: T) => string
  readonly work: (item: T) => Promise<void>
  readonly atOnce?: number
  /** The first back-off; shorter for what people watch. */
  readonly firstRetrySeconds?: number
  /** After so many failures in a row what all of them need is probably away: the last error is thrown. */
  readonly failuresInRowMax?: number
  /** What has failed so often is handed over, rather than tried for ever. */
  readonly giveUp?: { readonly after: number; readonly handOver: (item: T, error: unknown) => Promise<void> }
  readonly run?: Run | undefined
}

/** Works on each item for itself. One that fails is logged and passed over; the others are done. */
export async function eachAlone<T>({
  room,
  task,
  items,
  subjectOf,
  work,
  atOnce = 1,
  run,
  ...given
}: Given<T>): Promise<void> {
  const { firstRetrySeconds = FIRST_RETRY_SECONDS, failuresInRowMax = Number.POSITIVE_INFINITY, giveUp } = given
  const done: string[] = []
  const left = items.values()
  let inARow = 0
  const worker = async () => {
    for (const item of left) {
      run?.check()
      const subject = subjectOf(item)
      try {
        await work(item)
        done.push(subject)
        inARow = 0
      } catch (error) {
        // The run is over; nothing is wrong with the item.
        if (run?.signal.aborted === true) throw error
        room.log.warn({ err: error, task, subject }, 'passed over by a repeated task; tried again later')
        const failures = await passOver(room.db, { task, subject, errorKind: kindOf(error) }, firstRetrySeconds)
        if (giveUp && failures >= giveUp.after) {
          await giveUp.handOver(item, error)
          done.push(subject)
        }
        if (++inARow >= failuresInRowMax) throw error
      }
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker))
  if (done.length > 0)
    await room.db.delete(passedOver).where(and(eq(passedOver.task, task), inArray(passedOver.subject, done)))
  for (const each of workers) if (each.status === 'rejected') throw each.reason
}

type Failure = Pick<typeof passedOver.$inferSelect, 'task' | 'subject' | 'errorKind'>

/** Returns how often it has failed in a row. */
async function passOver(db: Db, failure: Failure, firstRetrySeconds: number): Promise<number> {
  const { task, subject, errorKind } = failure
  const waitSeconds = (failures: SQLWrapper) =>
    sql`least(${RETRY_SECONDS_MAX}::int, ${firstRetrySeconds}::int * 2.0 ^ least(${failures}, ${DOUBLINGS_MAX}::int))`
  const retryAt = (failures: SQLWrapper) => sql`now() + ${waitSeconds(failures)} * interval '1 s'`
  const [row] = await db
    .insert(passedOver)
    .values({ task, subject, retryAt: retryAt(sql`0`), errorKind })
    .onConflictDoUpdate({
      target: [passedOver.task, passedOver.subject],
      set: { failures: sql`${passedOver.failures} + 1`, retryAt: retryAt(passedOver.failures), errorKind },
    })
    .returning({ failures: passedOver.failures })
  return row?.failures ?? 1
}

export async function forgetPassedOver(db: Db): Promise<void> {
  await db.delete(passedOver).where(lt(passedOver.retryAt, sql`now() - make_interval(days => ${KEPT_DAYS})`))
}
