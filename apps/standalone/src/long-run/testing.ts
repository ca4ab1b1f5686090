import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkBooks } from '@parley/api/testing'
import type { BatchImport, BatchOverview, Batch } from '@parley/contract'
import { openDatabase, operate } from '../testing.ts'
import { type Person, type Running, signIn, signUp, until } from '../world.ts'

// Runs a whole batch on a whole product that is killed meanwhile, and checks the invariants afterwards.

const EMAIL = 'long-run@parley.example'
const PASSWORD = 'correct horse battery'
/** All personas but the one that rings in a browser. */
const PERSONAS = 17
/** Area codes without premium, personal or foreign numbers. */
export const AREAS = Array.from({ length: 800 }, (_, index) => 200 + index).filter((area) => !isElsewhere(area))
const LISTED = 20
const LISTED_BY_OPERATOR = 10
const DOUBLE_EVERY = 50
/** A start after a kill, with its recovery work. */
const SIGN_IN_TIMEOUT_MS = 60_000
const LOOK_EVERY_MS = 500
/** A list of which no contact changes for so long is stuck; how long a whole list takes depends on the machine. */
const STUCK_AFTER_MS = 120_000

/** The limits of a new account would stop so many calls. */
export const LONG_RUN_ENVIRONMENT = {
  SANDBOX_SPEED: '100',
  CALLING_HOURS: 'off',
  LIVE_CALLS_PER_ACCOUNT: '15',
  CALLS_PER_HOUR: '100000',
  CREDITS_PER_DAY: '1000000',
  LOG_LEVEL: 'info',
}

export type ProcessName = 'main' | 'voice' | 'postgres'

export interface LongRunOptions {
  readonly rows: number
  /** The processes of each kill; the kills are spread over the first `killedWithin` of the batch. */
  readonly kills: readonly (readonly ProcessName[])[]
  readonly killedWithin?: number
  readonly timeoutMs: number
  /** Called with the progress every 500 ms. */
  onLook?(batch: BatchOverview): Promise<void> | void
  onKill?(processes: readonly ProcessName[], batch: BatchOverview): void
}

export interface LongRun {
  readonly person: Person
  readonly batchId: string
  readonly file: BatchImport
  readonly batch: Batch
  readonly creditsBefore: number
  readonly creditsAfter: number
  readonly seconds: number
  readonly listed: readonly string[]
}

/** Uploads the file, starts the batch, and kills and restarts the product until the batch is done. */
export async function runList(parley: Running, options: LongRunOptions): Promise<LongRun> {
  const { rows, kills, killedWithin = 0.8, timeoutMs } = options
  let person = await signUp(parley.url, EMAIL, PASSWORD)
  await operate(
    parley,
    'credits',
    'adjust',
    EMAIL,
    String(rows * 3),
    '--key',
    'long-list',
    '--reason',
    'For a long list',
  )
  const numbers = numbersOf(rows)
  const listed = await listSome(parley, person, numbers)
  const creditsBefore = await person.balance()
  const file = await uploadList(parley, person, csvOf(numbers))
  const path = `/api/batch-calls/${file.batchId}`
  await startList(person, path)
  const startedAt = performance.now()
  let killed = 0
  const expectMoving = stuckAfter(STUCK_AFTER_MS)
  const batch = await until(
    'the list to be done',
    async () => {
      const seen = await person.get<Batch>(`${path}?limit=1`)
      await options.onLook?.(seen)
      if (seen.status === 'done') return seen
      if (seen.status !== 'running') throw new Error(`The list is ${seen.status}: ${seen.statusMessage}`)
      expectMoving(JSON.stringify({ killed, ...seen.contacts }))
      const { completed, failed, cancelled } = seen.contacts
      const processes = kills[killed]
      if (
        processes &&
        completed + failed + cancelled >= (seen.totalCalls * killedWithin * (killed + 1)) / kills.length
      ) {
        killed++
        options.onKill?.(processes, seen)
        await parley.kill(...processes)
        if (processes.includes('main')) await parley.start()
        person = await until(
          'somebody to sign in',
          () => signIn(parley.url, EMAIL, PASSWORD).catch(() => false),
          SIGN_IN_TIMEOUT_MS,
        )
      }
      return false
    },
    timeoutMs,
    LOOK_EVERY_MS,
  )
  const seconds = (performance.now() - startedAt) / 1000
  return {
    person,
    batchId: file.batchId,
    file,
    batch,
    creditsBefore,
    creditsAfter: await person.balance(),
    seconds,
    listed,
  }
}

/** Throws when what it is told stays the same for so long. */
function stuckAfter(ms: number): (told: string) => void {
  let last = ''
  let sinceMs = performance.now()
  return (told) => {
    if (told !== last) sinceMs = performance.now()
    else if (performance.now() - sinceMs > ms) throw new Error(`The list stands still: ${told}`)
    last = told
  }
}

/** Personas in turn, in one area code after the other. */
function numbersOf(rows: number): string[] {
  return Array.from({ length: rows }, (_, index) => {
    const area = AREAS[Math.floor(index / PERSONAS) % AREAS.length] ?? 202
    return `+1${area}55501${String(index % PERSONAS).padStart(2, '0')}`
  })
}

/** Codes of other countries or of numbers that are never called. */
function isElsewhere(area: number): boolean {
  const islands = [
    242, 246, 264, 268, 284, 345, 441, 473, 649, 658, 664, 721, 758, 767, 784, 809, 829, 849, 868, 869, 876,
  ]
  return (
    islands.includes(area) ||
    [500, 521, 522, 523, 524, 525, 526, 527, 528, 529, 532, 533, 544, 566, 577, 588, 700, 900].includes(area)
  )
}

/** Some numbers are twice in the file, the second time in another format. */
function csvOf(numbers: readonly string[]): string {
  const rows = numbers.flatMap((phone, index) => {
    const row = `${phone},Guest ${index},Table ${index % 40}`
    const again = phone.replace(/^\+1(\d{3})(\d{3})/, '+1 ($1) $2-')
    return index % DOUBLE_EVERY === 7 ? [row, `${again},Guest ${index} again,`] : [row]
  })
  return `phone,name,table\n${rows.join('\n')}\n`
}

/** Puts some numbers of the file on the user's and on the operator's do-not-call list. */
async function listSome(parley: Running, person: Person, numbers: readonly string[]): Promise<string[]> {
  const listed = numbers.filter((_, index) => index % Math.floor(numbers.length / LISTED) === 3).slice(0, LISTED)
  const platform = listed.slice(0, LISTED_BY_OPERATOR)
  for (const phone of listed.slice(LISTED_BY_OPERATOR)) {
    const answer = await person.send('POST', `/api/user/${person.user.id}/do-not-call`, { phone })
    if (answer.status !== 201) throw new Error(`Listing ${phone} answered ${answer.status}: ${await answer.text()}`)
  }
  await operate(parley, 'do-not-call', 'add', ...platform, '--reason', 'Asked us in writing')
  return listed
}

async function uploadList({ url }: Running, { cookie }: Person, csv: string): Promise<BatchImport> {
  const headers = { cookie, origin: url, 'content-type': 'text/csv' }
  const answer = await fetch(`${url}/api/batch-calls/import?fileName=guests.csv`, {
    method: 'POST',
    headers,
    body: csv,
  })
  if (answer.status !== 201) throw new Error(`The upload answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as BatchImport
}

async function startList(person: Person, path: string): Promise<void> {
  const plan = {
    purpose: 'Ask {{name}} whether {{table}} is still wanted',
    objectives: ['The table is wanted'],
    maxDurationMinutes: 2,
  }
  const consent = { marketing: false, permission: 'relationship', details: 'They have booked' }
  for (const change of [{ plan: { ...plan, callsPerMinute: 600 }, consent }, { action: 'start' }]) {
    const answer = await person.send('PATCH', path, change)
    if (!answer.ok) throw new Error(`Starting the list answered ${answer.status}: ${await answer.text()}`)
  }
}

/** Violated invariants, a line each; empty when all hold. */
export async function findWrongs(parley: Running, run: LongRun): Promise<string[]> {
  const database = await openDatabase(parley)
  const wrong: string[] = []
  const ask = async (sentence: string, query: string, values: readonly unknown[] = []) => {
    const { rows } = await database.pool.query<{ wrong: string }>(query, [...values])
    wrong.push(...rows.map((row) => `${sentence}: ${row.wrong}`))
  }
  try {
    const { batchId, listed } = run
    await checkBooks(database.db).catch((error: unknown) => wrong.push(String(error)))
    const calls = `select callee, count(*) as calls from call where batch_id = $1 and not ${NEVER_DIALED} group by callee`
    await ask('called twice', `select callee as wrong from (${calls}) c where c.calls > 1`, [batchId])
    await ask('on a list, and called', `select callee as wrong from call where callee = any($1)`, [listed])
    await ask('called after opting out', CALLED_AFTER_OPT_OUT)
    await ask('still live', `select id as wrong from call where completed_at is null`)
    await ask('still held', `select call_id as wrong from hold where state = 'active'`)
    await ask('still leased', `select id::text as wrong from dial_slot where leased_until > now()`)
    await ask('not as its call', CONTACT_UNLIKE_CALL, [batchId])
    await ask('counted wrongly', COUNTED_WRONGLY, [batchId])
    await ask('charged otherwise', CHARGED_OTHERWISE, [batchId])
  } finally {
    await database.close()
  }
  const { creditsBefore, creditsAfter, batch } = run
  if (creditsBefore - creditsAfter !== batch.creditsCharged) {
    wrong.push(`The balance went from ${creditsBefore} to ${creditsAfter}, and ${batch.creditsCharged} were charged`)
  }
  return [...wrong, ...dialedTwice(parley.log())]
}

/** A kill came before the dialing: the contact has its attempt back. */
const NEVER_DIALED = `(end_reason is not distinct from 'interrupted' and dispatched_at is null)`
const CALLED_AFTER_OPT_OUT = `select c.callee as wrong from call c join do_not_call d on d.user_id = c.user_id and d.phone = c.callee
  where c.created_at > d.created_at`
const CONTACT_UNLIKE_CALL = `select b.row::text || ' is ' || b.status as wrong from batch_contact b left join call c on c.id = b.call_id
  where b.batch_id = $1 and (b.status in ('waiting', 'calling') or (b.status in ('completed', 'failed')) <> (c.id is not null)
    or b.attempts <> (select count(*) from call where batch_id = b.batch_id and callee = b.callee and not ${NEVER_DIALED}))
    and b.status <> 'dropped'`
const COUNTED_WRONGLY = `select c.status || ': ' || c.contacts as wrong from (
    select status, count(*) as contacts from batch_contact where batch_id = $1 group by status) c join batch b on b.id = $1
  where c.contacts <> case c.status when 'dropped' then b.dropped when 'completed' then b.completed when 'failed' then b.failed
    when 'cancelled' then b.cancelled else 0 end`
const CHARGED_OTHERWISE = `select c.id as wrong from call c where c.batch_id = $1
  and c.credits_charged <> least(c.credits_held, ceil(c.duration_seconds / 60.0))
  union all select 'the list' from batch where id = $1
  and credits_charged <> (select sum(credits_charged) from call where batch_id = $1)`

/** Calls whose order voice services took more than once, from their log. */
function dialedTwice(log: string): string[] {
  const taken = [...log.matchAll(/"callId":"([^"]+)"[^\n]*"taken":"taken"/g)].map(([, callId = '']) => callId)
  const twice = [...Map.groupBy(taken, (callId) => callId)].filter(([, times]) => times.length > 1)
  if (taken.length === 0) return ['The voice service told of no order']
  return twice.map(([callId, times]) => `dialed ${times.length} times: call ${callId}`)
}

/** Memory of a process in MB: now, and the peak. */
export async function memoryOf(pid: number): Promise<{ now: number; most: number }> {
  const status = await readFile(join('/proc', String(pid), 'status'), 'utf8').catch(() => '')
  const mb = (name: string) => Math.round(Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) / 1024)
  return { now: mb('VmRSS'), most: mb('VmHWM') }
}
