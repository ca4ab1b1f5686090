import {
  accountsRoutes,
  type CallDetails,
  callsRoutes,
  contactsRoutes,
  creditsRoutes,
  securityRoutes as routes,
  templatesRoutes,
} from '@parley/contract'
import { eq, inArray, sql } from 'drizzle-orm'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call, callTurn, Script, type StandInVoice, startStandInVoice } from './calls/testing.ts'
import { contact } from './contacts/testing.ts'
import { checkBooks } from './credits/index.ts'
import { ledgerAccount } from './credits/testing.ts'
import { type Client, createTestApp, PATIENTLY, TEST_PASSWORD, type TestApp } from './testing.ts'
import { dataExport, inquiry, keepRetention, user as people } from './accounts/testing.ts'
import { addDoNotCall, whoMustNotBeCalled } from './consent/index.ts'
import { keptDoNotCall } from './consent/testing.ts'
import { withTx } from './platform/db.ts'

const OPERATOR = 'sales@parley.example'
let voice: StandInVoice
let app: TestApp

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url, CALLING_HOURS: 'off', OPERATOR_EMAIL: OPERATOR } })
})
afterAll(async () => {
  await checkBooks(app.context.db)
  await app.close()
  await voice.close()
})

const newContact = { name: 'Bob', phone: '+12025550123' }

async function makeCall(client: Client): Promise<{ id: string; script: Script }> {
  const { data } = await client.request(callsRoutes.place, { body: { callee: '+12025550100', purpose: 'Say hello' } })
  await voice.orderOf(data.id)
  return { id: data.id, script: new Script(app, data.id) }
}

async function finishedCall(client: Client): Promise<string> {
  const { id, script } = await makeCall(client)
  await script.converse()
  await script.say({ type: 'asks_owner', question: 'Is half past eight fine?' })
  await script.end(30)
  return id
}

describe('an export', () => {
  async function exported(client: Client, id: string) {
    const params = { id }
    const asked = await client.request(routes.requestExport, { params })
    expect(asked.status).toBe(202)
    await expect
      .poll(async () => (await client.request(routes.exports, { params })).data[0]?.status, PATIENTLY)
      .toBe('ready')
    const [ready] = (await client.request(routes.exports, { params })).data
    return ready!
  }
  const pathTo = (userId: string, exportId: string) => `/api/user/${userId}/exports/${exportId}/download`

  test("is a zip of the user's own data only, and a mail says when it is ready", async () => {
    const [{ client, user }, other] = [await app.signUp({ fullName: 'Grace Hopper' }), await app.signUp()]
    await client.request(contactsRoutes.create, { body: newContact })
    await other.client.request(contactsRoutes.create, { body: { ...newContact, name: 'Somebody else' } })
    await client.request(templatesRoutes.save, {
      body: { name: 'Bookings', purpose: 'Move a booking', tone: 'formal' },
    })
    const callId = await finishedCall(client)
    const ready = await exported(client, user.id)
    expect(ready).toMatchObject({ progress: 100 })
    await app.mailTo(user.email, 'Your Parley data is ready')

    const response = await client.fetch(pathTo(user.id, ready.id))
    expect(response.headers.get('content-type')).toBe('application/zip')
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="parley-export.zip"')
    const bytes = new Uint8Array(await response.arrayBuffer())
    expect(bytes.length).toBe(ready.bytes)
    const files = Object.fromEntries(
      Object.entries(unzipSync(bytes)).map(([name, file]) => [name, JSON.parse(new TextDecoder().decode(file))]),
    )
    expect(files['account.json']).toMatchObject([{ name: 'Grace Hopper', email: user.email }])
    expect(files['contacts.json']).toMatchObject([{ name: 'Bob' }])
    expect(files['call-templates.json']).toMatchObject([{ name: 'Bookings' }])
    expect(files['calls.json']).toMatchObject([{ id: callId, callee: '+12025550100' }])
    expect(files['calls.json'][0].turns.length).toBeGreaterThan(0)
    expect(files['credits.json']).toEqual(
      expect.arrayContaining([expect.objectContaining({ kind: 'grant', credits: 10 })]),
    )
    expect(JSON.stringify(files)).not.toMatch(/Somebody else|passwordHash/)
  })

  test('has all of 450 contacts', async () => {
    const { client, user } = await app.signUp()
    const rows = Array.from({ length: 450 }, (_, index) => ({
      id: `${user.id}-${index}`,
      userId: user.id,
      name: `N ${index}`,
      phone: '+12025550123',
    }))
    await app.context.db.insert(contact).values(rows)
    const ready = await exported(client, user.id)
    const zip = unzipSync(new Uint8Array(await (await client.fetch(pathTo(user.id, ready.id))).arrayBuffer()))
    const names = JSON.parse(new TextDecoder().decode(zip['contacts.json'])).map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(450)
  })

  test('parallel requests make one export', async () => {
    const { client, user } = await app.signUp()
    const ask = () => client.request(routes.requestExport, { params: { id: user.id } })
    const answers = await Promise.all([ask(), ask(), ask()])
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1)
    await expect
      .poll(async () => (await client.request(routes.exports, { params: { id: user.id } })).data[0]?.status, PATIENTLY)
      .toBe('ready')
  })

  test('is served to its owner only, until it expires', async () => {
    const [{ client, user }, other] = [await app.signUp(), await app.signUp()]
    const ready = await exported(client, user.id)
    expect((await app.client().fetch(pathTo(user.id, ready.id))).status).toBe(401)
    expect((await other.client.fetch(pathTo(user.id, ready.id))).status).toBe(404)
    expect((await other.client.fetch(pathTo(other.user.id, ready.id))).status).toBe(404)
    await app.context.db
      .update(dataExport)
      .set({ expiresAt: new Date(0) })
      .where(eq(dataExport.id, ready.id))
    expect((await client.fetch(pathTo(user.id, ready.id))).status).toBe(404)
  })
})

describe('deleting an account', () => {
  const gone = (id: string) =>
    expect.poll(async () => app.context.db.$count(people, eq(people.id, id)), PATIENTLY).toBe(0)

  test('ends sessions and keys, erases personal data and keeps the books', async () => {
    const { client, user } = await app.signUp()
    const params = { id: user.id }
    const elsewhere = app.client()
    await elsewhere.request(accountsRoutes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    const { key } = (await client.request(routes.createApiKey, { params, body: {} })).data
    await client.request(contactsRoutes.create, { body: newContact })
    const callId = await finishedCall(client)

    const answer = await client.request(accountsRoutes.deleteUser, { params })
    expect([answer.status, answer.data]).toEqual([200, { message: 'Your account was deleted.' }])
    expect(client.cookies.size).toBe(0)
    for (const each of [client, elsewhere]) expect((await each.request(accountsRoutes.currentUser)).status).toBe(401)
    const byKey = await app
      .client()
      .request(accountsRoutes.currentUser, { headers: { authorization: `Bearer ${key}` } })
    expect(byKey.status).toBe(401)
    const login = await app
      .client()
      .request(accountsRoutes.login, { body: { email: user.email, password: TEST_PASSWORD } })
    expect(login).toMatchObject({ status: 401, body: { code: 'wrong_credentials' } })
    await app.mailTo(user.email, 'Your Parley account was deleted')

    await gone(user.id)
    const { db } = app.context
    expect(await db.$count(call, eq(call.id, callId))).toBe(0)
    expect(await db.$count(callTurn, eq(callTurn.callId, callId))).toBe(0)
    expect(await db.$count(contact, eq(contact.userId, user.id))).toBe(0)
    expect(await db.$count(ledgerAccount, eq(ledgerAccount.userId, user.id))).toBeGreaterThan(0)
  })

  test('stops live calls and completes after they are settled', async () => {
    const { client, user } = await app.signUp()
    const { id, script } = await makeCall(client)
    await script.converse()
    await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })
    await voice.commandTo(id, 'stop')
    // The personal fields are erased already; the row waits for the call.
    const [row] = await app.context.db.select().from(people).where(eq(people.id, user.id))
    expect(row).toMatchObject({ name: '', phone: null })
    expect(JSON.stringify(row)).not.toContain(user.email)
    await script.end(30)
    await gone(user.id)
  })

  test('returns 501 with ACCOUNT_DELETION=off', async () => {
    const closed = await createTestApp({ environment: { ACCOUNT_DELETION: 'off' } })
    const { client, user } = await closed.signUp()
    const answer = await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })
    expect(answer).toMatchObject({ status: 501, body: { code: 'switched_off' } })
    expect((await client.request(accountsRoutes.currentUser)).status).toBe(200)
    await closed.close()
  })

  test('keeps do-not-call numbers as hashes, which apply again to the same mailbox', async () => {
    const { client, user } = await app.signUp({ email: 'quiet.one@gmail.com' })
    const [phone, other] = ['+12025550177', '+12025550178']
    const { db } = app.context
    await withTx(db, async (tx) => void (await addDoNotCall(tx, { userId: user.id, phone, source: 'callee' })))
    await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })
    await gone(user.id)
    const kept = await db.select().from(keptDoNotCall)
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain('2025550177')
    const back = await app.signUp({ email: 'quietone+again@gmail.com' })
    expect(await whoMustNotBeCalled(db, back.user.id, [phone, other])).toEqual(new Set([phone]))
    const stranger = await app.signUp()
    expect(await whoMustNotBeCalled(db, stranger.user.id, [phone, other])).toEqual(new Set())
  })

  test('a new account of the same address gets no free credits', async () => {
    const { client, user } = await app.signUp()
    await client.request(accountsRoutes.deleteUser, { params: { id: user.id } })
    const again = await app.signUp({ email: user.email })
    expect(again.user).toMatchObject({ email: user.email, creditBalance: '0' })
    expect(again.user.id).not.toBe(user.id)
  })
})

describe('retention', () => {
  test('erases the words of all accounts but one that fails', async () => {
    const people = [await app.signUp(), await app.signUp(), await app.signUp()]
    const calls: string[] = []
    for (const { client } of people) calls.push(await finishedCall(client))
    const { db } = app.context
    await db
      .update(call)
      .set({ completedAt: sql`now() - interval '4000 days'` })
      .where(inArray(call.id, calls))
    app.context.calls.hooks.on({
      async erased(_tx, ids) {
        if (ids.includes(calls[1] ?? '')) throw new Error('poisoned')
      },
    })
    await keepRetention(app.context.accounts.room)
    const rows = await db.select({ id: call.id, transcript: call.transcript }).from(call).where(inArray(call.id, calls))
    const erased = rows.filter(({ transcript }) => transcript?.startsWith('Erased after')).map(({ id }) => id)
    expect(new Set(erased)).toEqual(new Set([calls[0], calls[2]]))
  })

  test('erases the words of calls older than retentionDays, and nothing else', async () => {
    const { client, user } = await app.signUp()
    await client.request(accountsRoutes.changeSettings, { params: { id: user.id }, body: { retentionDays: 30 } })
    const [old, recent] = [await finishedCall(client), await finishedCall(client)]
    const { db } = app.context
    await db
      .update(call)
      .set({ completedAt: sql`now() - interval '31 days'` })
      .where(eq(call.id, old))
    await keepRetention(app.context.accounts.room)
    const read = async (id: string) => (await client.request(callsRoutes.get, { params: { id } })).data
    const erased = await read(old)
    expect(erased).toMatchObject({
      transcript: 'Erased after 30 days, as your settings say.',
      summary: null,
      turns: [],
      hasRecording: false,
    })
    const isQuestion = ({ question }: CallDetails['events'][number]) => question !== undefined
    expect([erased.events.some(isQuestion), (await read(recent)).events.some(isQuestion)]).toEqual([false, true])
    expect(erased.events.length).toBeGreaterThan(0)
    expect(erased.creditsCharged).toBe(1)
    expect((await read(recent)).turns.length).toBeGreaterThan(0)
  })
})

describe('an enterprise inquiry', () => {
  const ask = (email: string, more: Record<string, string> = {}) =>
    app.client().request(creditsRoutes.enterprise, {
      body: { companyName: 'Engines Ltd', contactName: 'Ada King', email, ...more },
    })

  test('is stored, mailed to the operator and confirmed to the sender', async () => {
    const answer = await ask('ada@engines.example', {
      phone: '+44 20 7946 0000',
      requirements: 'A thousand calls a day',
    })
    expect([answer.status, answer.data]).toEqual([201, { message: 'Thank you. We will answer within 24 hours.' }])
    const { text } = await app.mailTo(OPERATOR, 'Enterprise inquiry from Engines Ltd')
    for (const word of ['Ada King', 'ada@engines.example', '+44 20 7946 0000', 'A thousand calls a day'])
      expect(text).toContain(word)
    await app.mailTo('ada@engines.example', 'We have received your inquiry')
    expect(await app.context.db.$count(inquiry, eq(inquiry.email, 'ada@engines.example'))).toBe(1)
  })

  test('needs a company, a contact and an e-mail address', async () => {
    for (const missing of ['companyName', 'contactName']) {
      expect(await ask('b@engines.example', { [missing]: ' ' })).toMatchObject({
        status: 400,
        body: { field: missing },
      })
    }
    expect((await ask('nonsense')).status).toBe(400)
  })

  test('sends an address one fixed mail for repeated inquiries', async () => {
    const victim = 'victim@example.org'
    await ask(victim, { contactName: 'Buy now http://evil.example' })
    await ask(victim.toUpperCase(), { contactName: 'Again' })
    await app.mailTo(victim, 'We have received your inquiry')
    await app.mailTo(OPERATOR, 'Again')
    const mails = await (app.context.mailer.kind === 'outbox' ? app.context.mailer.list() : [])
    const sent = mails.filter(({ to }) => to.toLowerCase() === victim)
    expect(sent).toHaveLength(1)
    expect(JSON.stringify(sent)).not.toContain('evil')
  })
})
