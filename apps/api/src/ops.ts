import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { E164 } from '@parley/contract'
import { userIdOf } from './accounts/index.ts'
import { readDataConfig } from './config.ts'
import { allNumbers, changeOwned, costReport } from './calls/index.ts'
import { changePlatformDoNotCall, changeVerified, turnDialing } from './consent/index.ts'
import { adjust, auditBooks, balance, closeTask, grantTask, listTasks, refundTask, statement } from './credits/index.ts'
import { takeBackup } from './platform/data/backup.ts'
import { createDatabase, type Database, withTx } from './platform/db.ts'
import { listArchives, restore } from './platform/database/partitions/archive.ts'
import { findEmbeddedPostgres } from './platform/database/embedded.ts'
import { newestMigration } from './platform/database/migration-state.ts'
import { createDiskStore, createS3Store, type FileStore } from './platform/files.ts'

// The operator's command line: what no screen offers. It works on the database alone, beside a product that runs.

export const USAGE = `npm run ops -- credits show <email>
npm run ops -- credits adjust <email> <credits> --key <key> --reason "why"
                                                                   once for each key; credits below zero are taken
npm run ops -- tasks list                                          payments that wait for a decision
npm run ops -- tasks grant <id> [credits] --reason "why"           adds the credits ordered, or those named
npm run ops -- tasks refund <id> --reason "why"                    the product refunds the payment
npm run ops -- tasks close <id> --reason "why"                     it was settled elsewhere
npm run ops -- books check [--replica]                             every rule of the books; fails when one is broken;
                                                                   --replica asks DATABASE_REPLICA_URL
npm run ops -- calls cost --days 30                                calls, seconds, cost and margin by carrier
npm run ops -- archive list                                        months that are kept as files
npm run ops -- archive restore <YYYY-MM> [--days 7]                they are in their tables again, for some days
npm run ops -- backup                                              copies the embedded database now, beside the daily copies
npm run ops -- dialing on
npm run ops -- dialing off --reason "why"                         no new call is dialed; calls that run go on
npm run ops -- do-not-call add <phone>... --reason "why"          nobody here calls these numbers
npm run ops -- do-not-call remove <phone>...
npm run ops -- caller-numbers list <email>
npm run ops -- caller-numbers add <email> <phone>...               the account calls from these numbers of the carrier
npm run ops -- caller-numbers remove <email> <phone>...
npm run ops -- verified add <email> <phone>...                     its free credits call these, with FREE_CREDITS_CALL=verified
npm run ops -- verified remove <email> <phone>...`

/** Where things are beside the database. */
interface Places {
  readonly dataDir?: string | undefined
  readonly replicaUrl?: string | undefined
  /** Where archives are. */
  readonly files?: FileStore | undefined
}

const MOVEMENTS_SHOWN = 20
/** For the daily copy, when it is just being made. */
const BACKUP_WAIT_MS = 120_000
const EMBEDDED_DATABASE = 'parley'

/**
 * Runs one command and returns what it has to say. Throws a sentence when the command is wrong. `dataDir` has the
 * embedded database; a check of the books may ask the replica.
 */
export async function operate(
  database: Database,
  args: readonly string[],
  { dataDir, replicaUrl, files }: Places = {},
): Promise<string> {
  // A number below zero is not an option; what follows "--" is none.
  const belowZero = args.filter((each) => /^-\d+$/.test(each))
  const inOrder = [...args.filter((each) => !belowZero.includes(each)), '--', ...belowZero]
  const { positionals, values } = parseArgs({
    args: inOrder,
    allowPositionals: true,
    options: {
      reason: { type: 'string' },
      days: { type: 'string' },
      key: { type: 'string' },
      replica: { type: 'boolean' },
    },
  })
  const [room, verb, ...rest] = positionals
  if (room === 'credits' && verb === 'show' && rest.length === 1) return showCredits(database, rest[0] ?? '')
  if (room === 'credits' && verb === 'adjust' && rest.length === 2)
    return adjustCredits(database, rest[0] ?? '', rest[1] ?? '', values)
  if (room === 'tasks') return tasks(database, verb, rest, values.reason)
  if (room === 'calls' && verb === 'cost' && rest.length === 0) return callCosts(database, values.days)
  if (room === 'archive') return archives(database, files, verb, rest, values.days)
  if (room === 'backup' && verb === undefined) return backUp(database, dataDir)
  if (room === 'books' && verb === 'check' && rest.length === 0)
    return values.replica === true ? checkedReplica(replicaUrl) : checkedBooks(database)
  if (room === 'dialing' && (verb === 'on' || verb === 'off') && rest.length === 0)
    return dialing(database, verb === 'on', values.reason)
  if (room === 'do-not-call' && (verb === 'add' || verb === 'remove') && rest.length > 0) {
    return changeDoNotCall(database, rest, verb, values.reason)
  }
  if (room === 'verified' && (verb === 'add' || verb === 'remove') && rest.length > 1) {
    const [email = '', ...phones] = rest
    return verify(database, email, phones, verb)
  }
  if (room === 'caller-numbers') return callerNumbers(database, verb, rest)
  throw new Error(USAGE)
}

async function callerNumbers({ db }: Database, verb: string | undefined, rest: readonly string[]): Promise<string> {
  const [email = '', ...phones] = rest
  if (verb === 'list' && email !== '' && phones.length === 0) {
    const numbers = await allNumbers(db, await userOf(db, email))
    if (numbers.length === 0) return `${email} calls from the carrier's own number.`
    return numbers.map(({ phone, kind, isDefault }) => `${phone}  ${kind}${isDefault ? '  default' : ''}`).join('\n')
  }
  if ((verb !== 'add' && verb !== 'remove') || phones.length === 0) throw new Error(USAGE)
  checkPhones(phones)
  const userId = await userOf(db, email)
  await withTx(db, async (tx) => {
    for (const phone of phones.toSorted()) await changeOwned(tx, userId, phone, verb)
  })
  return `${email} ${verb === 'add' ? 'may call' : 'no longer calls'} from ${phones.join(', ')}.`
}

/** More than anybody buys in a year: beyond it stands a slip of the finger. */
const ADJUSTMENT_MAX = 1_000_000
const ADJUSTMENT_KEY = /^[\w.:-]{1,100}$/

async function adjustCredits(
  { db }: Database,
  email: string,
  amount: string,
  { key, reason }: { readonly key?: string | undefined; readonly reason?: string | undefined },
): Promise<string> {
  const credits = Number(amount)
  if (!/^[+-]?\d+$/.test(amount) || credits === 0) throw new Error(`"${amount}" is no number of credits.`)
  if (Math.abs(credits) > ADJUSTMENT_MAX) throw new Error(`At most ${ADJUSTMENT_MAX} credits are moved at once.`)
  if (reason === undefined || reason.trim() === '')
    throw new Error('Say why, with --reason: the person reads it in the statement.')
  if (key === undefined || !ADJUSTMENT_KEY.test(key))
    throw new Error('Name the adjustment with --key, such as a ticket: given again, the same key changes nothing.')
  const userId = await userOf(db, email)
  const { available, repeated } = await withTx(db, (tx) =>
    adjust(tx, { userId, key: `adjust:${key}`, credits, reason: reason.trim() }),
  )
  const done = repeated ? `This was done before under the key ${key}; nothing was changed. ` : ''
  return `${done}${email} can spend ${available} credits now.`
}

async function tasks(
  { db }: Database,
  verb: string | undefined,
  [typed = '', amount, ...more]: readonly string[],
  reason: string | undefined,
): Promise<string> {
  if (verb === 'list' && typed === '') return listedTasks(db)
  const [id, credits] = [Number(typed), amount === undefined ? undefined : Number(amount)]
  const takesCredits = verb === 'grant' || credits === undefined
  if (!/^\d{1,15}$/.test(typed) || !takesCredits || more.length > 0) throw new Error(USAGE)
  if (credits !== undefined && !(Number.isInteger(credits) && credits > 0 && credits <= ADJUSTMENT_MAX))
    throw new Error(`Grant from 1 to ${ADJUSTMENT_MAX} credits.`)
  const why = reason?.trim() ?? ''
  if (why === '') throw new Error('Say why, with --reason.')
  switch (verb) {
    case 'grant': {
      const granted = await withTx(db, (tx) => grantTask(tx, id, { credits, reason: why }))
      return `${granted.credits} credits were added; the user can spend ${granted.available} now.`
    }
    case 'refund':
      await withTx(db, (tx) => refundTask(tx, id, why))
      return 'The running product refunds the payment in its next round, within minutes.'
    case 'close':
      await withTx(db, (tx) => closeTask(tx, id, why))
      return `Task ${id} is closed.`
    default:
      throw new Error(USAGE)
  }
}

async function listedTasks(db: Database['db']): Promise<string> {
  const open = await listTasks(db)
  if (open.length === 0) return 'Nothing is to be decided.'
  return open
    .map(({ id, openedAt, intentId, detail, decision }) => {
      const state = decision === null ? 'open' : 'refund under way'
      return `${id}  ${openedAt.toISOString()}  ${state}  ${intentId}  ${detail}`
    })
    .join('\n')
}

async function showCredits({ db }: Database, email: string): Promise<string> {
  const userId = await userOf(db, email)
  const { available, held, debt } = await balance(db, userId)
  const { items } = await statement(db, userId, { limit: MOVEMENTS_SHOWN })
  const lines = items.map(({ at, credits, balance: after, cause }) => {
    return `${at}  ${String(credits).padStart(6)}  ${String(after).padStart(6)}  ${cause}`
  })
  return [`${email} can spend ${available} credits, holds ${held} in calls and owes ${debt}.`, ...lines].join('\n')
}

async function backUp({ pool, url }: Database, dataDir: string | undefined): Promise<string> {
  if (dataDir === undefined)
    throw new Error("The database of DATABASE_URL is backed up by its server's own means, such as pg_basebackup.")
  const migration = await newestMigration(pool)
  const name = await takeBackup({ dataDir, databaseUrl: url, reason: 'by-hand', migration, waitMs: BACKUP_WAIT_MS })
  return `The backup ${name} was made. Restore it, when the product is stopped, with "npm run restore -- ${name}".`
}

const RESTORED_DAYS = 7
const RESTORED_DAYS_MAX = 90

async function archives(
  { db }: Database,
  files: FileStore | undefined,
  verb: string | undefined,
  [month = '', ...more]: readonly string[],
  typedDays: string | undefined,
): Promise<string> {
  const all = await listArchives(db)
  if (verb === 'list' && month === '') {
    if (all.length === 0) return 'No month is archived.'
    return all
      .map(({ name, rows, bytes, archivedAt, restoredUntil }) => {
        const until = restoredUntil === null ? '' : `  restored until ${restoredUntil.toISOString()}`
        return `${name}  ${rows} rows  ${bytes} bytes  archived ${archivedAt.toISOString()}${until}`
      })
      .join('\n')
  }
  const days = typedDays === undefined ? RESTORED_DAYS : Number(typedDays)
  if (verb !== 'restore' || !/^\d{4}-\d{2}$/.test(month) || more.length > 0) throw new Error(USAGE)
  if (!Number.isInteger(days) || days < 1 || days > RESTORED_DAYS_MAX)
    throw new Error(`--days is a whole number from 1 to ${RESTORED_DAYS_MAX}.`)
  const wanted = all.filter((each) => each.month.startsWith(month))
  if (wanted.length === 0) throw new Error(`Nothing of ${month} is archived.`)
  if (!files) throw new Error('Where the archives are is not known: set S3_BUCKET or DATA_DIR as the product has it.')
  const told: string[] = []
  for (const each of wanted) {
    const rows = await restore({ db, files }, each, days)
    told.push(`${each.table} has ${rows} rows of ${month} again, for ${days} days.`)
  }
  return told.join('\n')
}

const COST_DAYS = 30
const COST_DAYS_MAX = 3660

function callCosts({ db }: Database, typed: string | undefined): Promise<string> {
  const days = typed === undefined ? COST_DAYS : Number(typed)
  if (!Number.isInteger(days) || days < 1 || days > COST_DAYS_MAX)
    throw new Error(`--days is a whole number from 1 to ${COST_DAYS_MAX}.`)
  return costReport(db, days)
}

async function checkedReplica(url: string | undefined): Promise<string> {
  if (url === undefined) throw new Error('Set DATABASE_REPLICA_URL to the address of the replica.')
  const replica = createDatabase(url, { poolSize: 1 })
  try {
    return await checkedBooks(replica)
  } finally {
    await replica.close()
  }
}

/** Throws the same report when a rule is broken, so that the command fails. */
async function checkedBooks({ db }: Pick<Database, 'db'>): Promise<string> {
  const findings = await auditBooks(db)
  const report = findings.flatMap(({ rule, broken }) => [
    `${broken.length === 0 ? 'ok    ' : 'BROKEN'}  ${rule}`,
    ...broken.map((row) => `        ${row}`),
  ])
  if (findings.some(({ broken }) => broken.length > 0)) throw new Error(['The books are wrong.', ...report].join('\n'))
  return ['The books are right.', ...report].join('\n')
}

async function dialing({ db }: Database, on: boolean, reason: string | undefined): Promise<string> {
  await withTx(db, (tx) => turnDialing(tx, on, reason ?? null))
  return on ? 'New calls are dialed again.' : 'No new call is dialed. Calls that run go on.'
}

async function changeDoNotCall(
  { db }: Database,
  phones: string[],
  change: 'add' | 'remove',
  reason: string | undefined,
): Promise<string> {
  checkPhones(phones)
  await withTx(db, (tx) => changePlatformDoNotCall(tx, phones, change, reason))
  return change === 'add'
    ? `Nobody here calls ${phones.join(', ')}.`
    : `${phones.join(', ')} may be called again, as far as we are concerned.`
}

async function verify(
  { db }: Database,
  email: string,
  phones: readonly string[],
  change: 'add' | 'remove',
): Promise<string> {
  checkPhones(phones)
  const userId = await userOf(db, email)
  await withTx(db, (tx) => changeVerified(tx, userId, phones, change))
  return `${email} ${change === 'add' ? 'may' : 'may not'} call ${phones.join(', ')} on free credits.`
}

function checkPhones(phones: readonly string[]): void {
  const wrong = phones.find((phone) => !E164.safeParse(phone).success)
  if (wrong !== undefined) throw new Error(`"${wrong}" is no phone number: write it as +12025550100.`)
}

async function userOf(db: Database['db'], email: string): Promise<string> {
  const userId = await userIdOf(db, email)
  if (userId === undefined) throw new Error(`Nobody has the address ${email}.`)
  return userId
}

/**
 * The database of DATABASE_URL, or the one that the product has running in DATA_DIR: then the folder is given too. Of
 * either, the replica's address.
 */
export async function openRunningDatabase(
  environment?: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly database: Database; readonly places: Places }> {
  const { dataDir, databaseUrl, databaseDirectUrl, replicaUrl, s3 } = readDataConfig(environment)
  const url = databaseUrl ?? (await findEmbeddedPostgres(join(dataDir, 'postgres')))?.(EMBEDDED_DATABASE)
  if (url === undefined)
    throw new Error(`No product is running on ${dataDir}. Start it, or set DATABASE_URL or DATA_DIR.`)
  const files = s3 ? createS3Store(s3) : createDiskStore(dataDir)
  const places = { dataDir: databaseUrl === undefined ? dataDir : undefined, replicaUrl, files }
  return { database: createDatabase(url, { poolSize: 2, directUrl: databaseDirectUrl }), places }
}
