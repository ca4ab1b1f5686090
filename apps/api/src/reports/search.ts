import { and, desc, eq, gte, ilike, lt, or, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../platform/db.ts'
import { beforeCursor, type Cursor } from '../platform/pages.ts'
import { callSearch } from './schema.ts'

/** What ended calls are looked up by. */
export interface Wanted {
  readonly userId: string
  /** As they were typed, not empty. */
  readonly words: string
  readonly status: 'completed' | 'failed' | undefined
  /** E.164. */
  readonly callee: string | undefined
  /** Calls older than this one. */
  readonly before: Cursor | undefined
  readonly limit: number
}

/**
 * Looks up ended calls by their words. PostgreSQL does it here; a search engine that is told of every change of
 * `call_search` may take its place.
 */
export interface CallSearch {
  /** Newest first, at most `limit`. */
  find(wanted: Wanted): Promise<readonly Cursor[]>
}

/** How much is read at once. Words that many calls have are found soonest without an index. */
const READ = {
  /** Of the newest calls, to see how many have the words. */
  first: 200,
  more: 2000,
  /** Words without three letters in a row are in no index of trigrams, and are looked for in so many of the newest calls. */
  unindexed: 20_000,
}
/** The part of the calls that have the words below which the index is quicker. */
const SPARSE = 0.25
/** What one look into the index reads: few months where it will find many, and then twice as many. */
const MONTHS = { first: 1, ofRare: 12, most: 24 }

const PLACE = { at: callSearch.createdAt, id: callSearch.callId }
const NEWEST = [desc(PLACE.at), desc(PLACE.id)] as const

export function searchIn(reader: Reader, read: Partial<typeof READ> = {}): CallSearch {
  return { find: (wanted) => find(reader, wanted, { ...READ, ...read }) }
}

async function find(reader: Reader, wanted: Wanted, read: typeof READ): Promise<readonly Cursor[]> {
  const isIndexed = /[\p{L}\p{N}]{3}/u.test(wanted.words)
  const found: Cursor[] = []
  let [before, size, seen] = [wanted.before, read.first, 0]
  for (;;) {
    const calls = await readInOrder(reader, { ...wanted, before }, size)
    const hits = calls.filter(({ hit }) => hit)
    found.push(...hits)
    seen += calls.length
    before = calls.at(-1)
    if (found.length >= wanted.limit) return found.slice(0, wanted.limit)
    if (before === undefined || calls.length < size || (!isIndexed && seen >= read.unindexed)) return found
    const part = hits.length / calls.length
    if (isIndexed && part < SPARSE) break
    const missing = isIndexed ? Math.ceil((wanted.limit - found.length) / part) : read.unindexed - seen
    size = Math.min(read.more, missing)
  }
  const months = found.length === 0 ? MONTHS.ofRare : MONTHS.first
  return [...found, ...(await throughIndex(reader, { ...wanted, before, limit: wanted.limit - found.length }, months))]
}

/** The calls in order, each with whether it has the words. */
function readInOrder(reader: Reader, wanted: Wanted, size: number) {
  const { userId, before } = wanted
  return reader
    .select({ ...PLACE, hit: sql<boolean>`${matching(wanted)}` })
    .from(callSearch)
    .where(and(eq(callSearch.userId, userId), before && beforeCursor(before, PLACE)))
    .orderBy(...NEWEST)
    .limit(size)
}

/** A growing number of months at a time, since each look makes a bitmap of all that it finds. */
async function throughIndex(
  reader: Reader,
  wanted: Wanted & { readonly before: Cursor },
  firstMonths: number,
): Promise<Cursor[]> {
  const { userId, before, limit } = wanted
  const ofUser = eq(callSearch.userId, userId)
  const [oldest] = await reader.select(PLACE).from(callSearch).where(ofUser).orderBy(PLACE.at).limit(1)
  const found: Cursor[] = []
  let until: SQL = beforeCursor(before, PLACE)
  let since = monthsBefore(before.at, firstMonths - 1)
  for (let months = firstMonths; oldest;) {
    // Materialized: with the limit in sight, the planner would rather read the account's calls in order.
    const inMonths = and(ofUser, until, gte(PLACE.at, since), matching(wanted))
    const { rows } = await reader.execute<{ at: string; id: string }>(sql`
      with found as materialized (select created_at, call_id from ${callSearch} where ${inMonths})
      select to_json(created_at) #>> '{}' as at, call_id as id from found
      order by created_at desc, call_id desc limit ${limit - found.length}`)
    found.push(...rows.map(({ at, id }) => ({ at: new Date(at), id })))
    if (found.length === limit || since <= oldest.at) break
    until = lt(PLACE.at, since)
    months = Math.min(months * 2, MONTHS.most)
    since = monthsBefore(since, months)
  }
  return found
}

/** The beginning of a month, so many before that of the moment. Partitions begin there. */
function monthsBefore(moment: Date, months: number): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth() - months))
}

function matching({ words, status, callee }: Wanted): SQL | undefined {
  return and(
    hasWords([callSearch.words], words),
    status && eq(callSearch.status, status),
    callee === undefined ? undefined : eq(callSearch.callee, callee),
  )
}

/** One of the texts contains the words or, of a number, its digits, however it is written. */
export function hasWords(texts: readonly Parameters<typeof ilike>[0][], words: string): SQL | undefined {
  const digits = digitsOf(words)
  const patterns = [words, ...(digits === undefined ? [] : [digits])].map(
    (each) => `%${each.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`,
  )
  return or(...texts.flatMap((text) => patterns.map((pattern) => ilike(text, pattern))))
}

/** The characters of a phone number, besides its digits. */
const ONLY_A_NUMBER = /^[\d\s+().\-/\u2010-\u2015]*$/
/** From this length on, leading zeros are a trunk or international prefix, which stored numbers lack. */
const TRUNK_DIGITS = 7

/** Of a number in any notation; undefined of other words. */
function digitsOf(words: string): string | undefined {
  const digits = words.replaceAll(/\D/g, '')
  if (digits === '' || !ONLY_A_NUMBER.test(words)) return undefined
  const kept = digits.length < TRUNK_DIGITS ? digits : digits.replace(/^0+/, '')
  return kept || digits
}
