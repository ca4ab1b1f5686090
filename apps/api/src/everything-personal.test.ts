import { randomUUID } from 'node:crypto'
import {
  accountsRoutes,
  batchesRoutes,
  callsRoutes,
  contactsRoutes,
  creditsRoutes,
  devicesRoutes,
  noticesRoutes,
  securityRoutes,
} from '@parley/contract'
import { sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { passkey } from './accounts/testing.ts'
import {
  callerNumber,
  callerVerification,
  callTemplate,
  Script,
  type StandInVoice,
  startStandInVoice,
} from './calls/testing.ts'
import { addDoNotCall } from './consent/index.ts'
import { verifiedNumber } from './consent/testing.ts'
import { autoTopUp, lowBalance, payment, paymentCustomer, paymentDispute, paymentRefund } from './credits/testing.ts'
import { withTx } from './platform/db.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from './testing.ts'

/**
 * One user with a row in every table of personal data: its file in the export, and what deletion leaves. A table
 * missing in both lists fails the test.
 */
const IN_THE_EXPORT: Readonly<Record<string, string>> = {
  user: 'account.json',
  user_settings: 'settings.json',
  account: 'sign-in-methods.json',
  session: 'sessions.json',
  shell_session: 'sessions.json',
  api_key: 'api-keys.json',
  passkey: 'passkeys.json',
  second_factor: 'two-step-sign-in.json',
  recovery_code: 'two-step-sign-in.json',
  mail_link: 'address-changes-under-way.json',
  security_event: 'security-activity.json',
  inquiry: 'inquiries.json',
  contact: 'contacts.json',
  call: 'calls.json',
  call_turn: 'calls.json',
  call_event: 'calls.json',
  call_summary: 'calls.json',
  call_template: 'call-templates.json',
  caller_number: 'caller-numbers.json',
  caller_verification: 'calls-with-codes.json',
  batch: 'batches.json',
  batch_contact: 'batch-contacts.json',
  do_not_call: 'do-not-call.json',
  verified_number: 'verified-numbers.json',
  consent_audit: 'calling-rules.json',
  webhook_endpoint: 'webhook.json',
  device: 'devices.json',
  webhook_delivery: 'webhook-deliveries.json',
  ledger_transfer: 'credits.json',
  ledger_tx_copied: 'credits.json',
  ledger_entry_copied: 'credits.json',
  ledger_account: 'credits.json',
  payment: 'payments.json',
  payment_refund: 'refunds.json',
  payment_dispute: 'disputes.json',
  payment_customer: 'saved-card.json',
  auto_top_up: 'auto-top-up.json',
}

const NOT_IN_THE_EXPORT: Readonly<Record<string, string>> = {
  verification: 'the library’s own; nothing writes there',
  known_identity: 'hashes that name nobody',
  kept_do_not_call: 'hashes that name nobody',
  returned_do_not_call: 'a key to such hashes',
  sign_in_attempt: 'hashes, for a day',
  used_token: 'hashes, for minutes',
  past_key: 'secrets of this server, sealed',
  native_code: 'a hash, for a minute',
  ticket: 'a hash, for a minute',
  email_code: 'the id of a code, for ten minutes',
  data_export: 'the export itself',
  data_export_part: 'the export itself',
  call_figure: 'sums over calls, which are there',
  archive_key: 'what archived rows are encrypted with',
  partition_archive: 'which months are archived, of nobody',
  call_search: 'what is searched of calls, which are there',
  call_cost: 'what calls cost the operator',
  call_vault: 'private values, which are kept encrypted and until the call has ended',
  call_liveness: 'when a live call was last heard of',
  call_lease: 'on which node a live call runs',
  voice_node: 'processes of the voice service',
  call_total: 'sums over calls, which are there',
  hold: 'credits of calls, which are there with what they cost',
  ledger_tx: 'the transfers by their name of before, which are there',
  low_balance: 'whether a mail was sent already',
  idempotent_answer: 'answers that were given once, for a day',
  platform_do_not_call: 'the operator’s',
  dialing_switch: 'the operator’s',
  operator_task: 'the operator’s',
  dial_slot: 'which line is taken',
  stripe_event: 'ids of the payment provider',
  stripe_event_retry: 'ids of the payment provider',
  stripe_reading: 'how far its list was read',
  replayed_sql: 'which functions and triggers the database has',
  passed_over: 'what a repeated task failed with, for two days',
  repeated_task: 'when each repeated task runs, of nobody',
}

/** The books keep movements under an id that no longer names a user. */
const KEEPS_THE_ID = ['hold', 'ledger_account', 'ledger_transfer', 'ledger_tx', 'payment']

const NEEDLES = {
  email: 'quillon.marrowbane@example.org',
  name: 'Quillon Marrowbane',
  company: 'Marrowbane Looms',
  ownPhone: '+442079460777',
  callee: '+12025550188',
  callTo: '+12025550100',
  verified: '+12025550166',
  callFrom: '+12025550155',
  ownedNumber: '+12025550154',
  contact: 'Perpetua Thistlewood',
  purpose: 'Ask about the walnut dresser',
  said: 'The dresser was sold on Tuesday',
  summary: 'A dresser, and no longer there',
  template: 'Furniture questions',
  webhook: 'http://127.0.0.1:9/needle-hook',
  device: 'NeedleBrowser/7',
  keyName: 'Needle robot',
  passkeyName: 'Needle phone',
  company2: 'Needle Enterprises',
  card: 'needlecard',
  privateName: 'Needle booking',
} as const
/** Of a phone: in its table alone. */
const NEEDLES_TOKEN = 'needle-push-token-0123456789'
/** Of the vault: in no export and no table. */
const PRIVATE_VALUE = 'QX-559013'

let voice: StandInVoice
let app: TestApp
let client: Client
let userId: string

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({
    environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', OPERATOR_EMAIL: 'sales@parley.example' },
  })
  const person = await app.signUp({ fullName: NEEDLES.name, email: NEEDLES.email })
  ;({ client } = person)
  userId = person.user.id
  await fillAccount()
  await fillCalls()
  await fillMoney()
})
afterAll(async () => {
  await app.close()
  await voice.close()
})

async function fillAccount(): Promise<void> {
  const params = { id: userId }
  const { db } = app.context
  const profile = { phone: NEEDLES.ownPhone, companyName: NEEDLES.company, email: 'quillon.new@example.org' }
  await client.request(accountsRoutes.changeUser, { params, body: profile, headers: { 'user-agent': NEEDLES.device } })
  await client.request(securityRoutes.createApiKey, {
    params,
    body: { name: NEEDLES.keyName },
    headers: { 'user-agent': NEEDLES.device },
  })
  const webhook = { webhookUrl: NEEDLES.webhook, retentionDays: 77 }
  await client.request(accountsRoutes.changeSettings, { params, body: webhook })
  await client.request(securityRoutes.testWebhook, { params })
  await client.request(noticesRoutes.renewSecret, { params })
  await client.request(securityRoutes.setUpSecondFactor, { params })
  await db.execute(sql`insert into recovery_code (user_id, hash) values (${userId}, ${randomUUID()})`)
  const device = {
    name: NEEDLES.passkeyName,
    credentialId: randomUUID(),
    publicKey: 'COSE',
    counter: 0,
    transports: ['internal'],
  }
  await db.insert(passkey).values({ id: randomUUID(), userId, ...device })
  const phone = { platform: 'android', token: NEEDLES_TOKEN, language: 'en' } as const
  await client.request(devicesRoutes.add, { body: phone })
  const inquiry = { companyName: NEEDLES.company2, contactName: NEEDLES.name, email: NEEDLES.email.toUpperCase() }
  await client.request(creditsRoutes.enterprise, { body: inquiry })
}

async function fillCalls(): Promise<void> {
  const { db } = app.context
  await client.request(contactsRoutes.create, { body: { name: NEEDLES.contact, phone: NEEDLES.callee } })
  const vault = [{ name: NEEDLES.privateName, value: PRIVATE_VALUE }]
  const order = { callee: NEEDLES.callTo, purpose: NEEDLES.purpose, objectives: ['Its price'], vault }
  const { data } = await client.request(callsRoutes.place, {
    body: order,
    headers: { 'idempotency-key': randomUUID() },
  })
  expect((await voice.orderOf(data.id)).vault).toMatchObject(vault)
  const script = new Script(app, data.id)
  await script.converse()
  await script.say(script.turn(2, 'user', NEEDLES.said))
  await script.end(30)
  await script.wrapUp(NEEDLES.summary)
  const file = {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `name,phone\n${NEEDLES.contact},${NEEDLES.callee}\n`,
  }
  expect((await client.fetch(`${batchesRoutes.import.path}?fileName=people.csv`, file)).status).toBe(201)
  await withTx(db, async (tx) => void (await addDoNotCall(tx, { userId, phone: NEEDLES.callee, source: 'callee' })))
  await db.insert(verifiedNumber).values({ userId, phone: NEEDLES.verified })
  await db.insert(callerNumber).values([
    { userId, phone: NEEDLES.callFrom, kind: 'verified', simulated: true },
    { userId, phone: NEEDLES.ownedNumber, kind: 'owned', simulated: false },
  ])
  const told = { phone: NEEDLES.callFrom, simulated: true, createdAt: new Date() }
  await db.insert(callerVerification).values({ id: randomUUID(), userId, ...told })
  const manner = { purpose: NEEDLES.purpose, tone: 'friendly', maxDurationMinutes: 1, language: 'en' } as const
  await db
    .insert(callTemplate)
    .values({ id: randomUUID(), userId, name: NEEDLES.template, ...manner, objectives: [], context: {} })
}

async function fillMoney(): Promise<void> {
  const { db } = app.context
  const id = randomUUID()
  const bought = { packageId: 'light', credits: 10, bonusCredits: 0, amountCents: 999 } as const
  const paid = { status: 'succeeded', capturedCents: 999, paidAt: new Date(), card: 'Visa 4242' } as const
  await db.insert(payment).values({ id, intentId: `pi_${id}`, userId, ...bought, ...paid })
  await db.insert(paymentRefund).values({ id: randomUUID(), orderId: id, cents: 1, status: 'failed' })
  await db.insert(paymentDispute).values({ id: randomUUID(), orderId: id, cents: 1, status: 'won' })
  await db.insert(paymentCustomer).values({ userId, customerId: NEEDLES.card, brand: 'visa', last4: '4242' })
  await db.insert(autoTopUp).values({ userId, packageId: 'light', thresholdCredits: 1, problem: 'Declined' })
  await db.insert(lowBalance).values({ userId }).onConflictDoNothing()
}

async function tablesOf(schema: string): Promise<string[]> {
  const { rows } = await app.context.db.execute<{ name: string }>(
    sql`select relname as name from pg_class
      where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )
  return rows.map(({ name }) => name)
}

/** `schema.table: word` for each word found in any row of the table. */
async function whereStands(words: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const schema of ['public', 'jobs']) {
    for (const table of await tablesOf(schema)) {
      const rows = sql`from ${sql.identifier(schema)}.${sql.identifier(table)} as each`
      for (const word of words) {
        const hits = await app.context.db.execute<{ n: number }>(
          sql`select count(*)::int as n ${rows} where position(lower(${word}) in lower(each::text)) > 0`,
        )
        if ((hits.rows[0]?.n ?? 0) > 0) found.push(`${schema}.${table}: ${word}`)
      }
    }
  }
  return found
}

test('every table is in the export or has a reason not to be', async () => {
  const known = [...Object.keys(IN_THE_EXPORT), ...Object.keys(NOT_IN_THE_EXPORT)]
  expect(known.toSorted()).toEqual((await tablesOf('public')).toSorted())
})

describe('the export', () => {
  const files = new Map<string, unknown[]>()

  beforeAll(async () => {
    const params = { id: userId }
    await client.request(securityRoutes.requestExport, { params })
    const ready = await vi.waitFor(async () => {
      const [latest] = (await client.request(securityRoutes.exports, { params })).data
      if (latest?.status !== 'ready') throw new Error('It is not ready yet.')
      return latest
    }, PATIENTLY)
    const zip = await client.fetch(`/api/user/${userId}/exports/${ready.id}/download`)
    for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(await zip.arrayBuffer())))) {
      files.set(name, JSON.parse(new TextDecoder().decode(bytes)))
    }
  })

  test.each([...new Set(Object.values(IN_THE_EXPORT))])('has a non-empty %s', (name) => {
    expect(files.get(name)?.length).toBeGreaterThan(0)
  })

  test.each(Object.entries(NEEDLES))('has the %s: %s', (_, needle) => {
    expect(JSON.stringify([...files.values()]).toLowerCase()).toContain(needle.toLowerCase())
  })

  test('has the name of a private value and never the value, as every table', async () => {
    expect(JSON.stringify([...files.values()])).not.toContain(PRIVATE_VALUE)
    expect(await whereStands([PRIVATE_VALUE])).toEqual([])
  })

  test('has no token, hash or secret', async () => {
    const { rows } = await app.context.db.execute<{ secret: string }>(sql`
      select token as secret from session where user_id = ${userId}
      union all select hash from api_key where user_id = ${userId}
      union all select password from account where user_id = ${userId}
      union all select secret from second_factor where user_id = ${userId}
      union all select hash from recovery_code where user_id = ${userId}
      union all select id from mail_link where user_id = ${userId}
      union all select token from device where user_id = ${userId}`)
    expect(rows.length).toBeGreaterThanOrEqual(7)
    const whole = JSON.stringify([...files.values()])
    expect(rows.filter(({ secret }) => whole.includes(secret))).toEqual([])
  })
})

describe('after deletion', () => {
  test('no personal data is left in any table or job', async () => {
    const words = Object.values(NEEDLES)
    // Before deletion the search finds every word.
    expect(new Set((await whereStands(words)).map((line) => line.split(': ')[1]))).toEqual(new Set(words))
    await client.request(accountsRoutes.deleteUser, { params: { id: userId } })
    await app.mailTo(NEEDLES.email, 'was deleted')
    const books = KEEPS_THE_ID.map((table) => `public.${table}: ${userId}`)
    await expect.poll(() => whereStands([...words, userId]), { timeout: 60_000 }).toEqual(books)
  })
})
