import {
  accountsRoutes,
  CALLER_CODE_TRIES,
  callerNumbersRoutes,
  callsRoutes,
  consentRoutes,
  type Fact,
  isVerificationId,
  LIVE_PATH,
  LiveMessage,
  pathOf,
  reportsRoutes,
  SOUND_CLOSE,
  SOUND_PATHS,
  VERIFICATIONS_PER_ACCOUNT_PER_DAY,
  VERIFICATIONS_PER_NUMBER_PER_DAY,
} from '@parley/contract'
import { eq, sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { turnDialing } from '../../consent/index.ts'
import { checkBooks } from '../../credits/index.ts'
import { withTx } from '../../platform/db.ts'
import { type Client, createTestApp, PATIENTLY, type TestApp } from '../../testing.ts'
import { callerNumber, callerVerification } from '../schema.ts'
import { Script, type StandInVoice, startStandInVoice } from '../testing.ts'
import { dialVerification } from './dial.ts'
import { changeOwned } from './numbers.ts'
import { forgetVerifications } from './verification.ts'

let voice: StandInVoice
let app: TestApp
let lastNumber = 1000

beforeAll(async () => {
  voice = await startStandInVoice()
  app = await createTestApp({ environment: { VOICE_URL: voice.url } })
})
beforeEach(() => void Object.assign(voice, { health: null, phone: undefined, away: false, refuseWith: null }))
afterEach(() => checkBooks(app.context.db))
afterAll(async () => {
  await app.close()
  await voice.close()
})

/** A number that no other test calls. */
const aNumber = () => `+1202456${++lastNumber}`
const OVER: Extract<Fact, { type: 'ended' }>['reason'] = 'agent_closed'

interface Person {
  readonly client: Client
  readonly params: { readonly id: string }
}

async function aPerson(): Promise<Person> {
  const { client, user } = await app.signUp()
  return { client, params: { id: user.id } }
}

const verify = ({ client, params }: Person, phone: string) =>
  client.request(callerNumbersRoutes.verify, { params, body: { phone } })
const confirm = ({ client, params }: Person, code: string) =>
  client.request(callerNumbersRoutes.confirm, { params, body: { code } })
const listOf = async ({ client, params }: Person) => (await client.request(callerNumbersRoutes.list, { params })).data
const place = ({ client }: Person, from?: string | null) =>
  client.request(callsRoutes.place, {
    body: {
      callee: '+12025550100',
      purpose: 'Ask',
      confirmOutsideHours: true,
      ...(from !== undefined && { from }),
    },
  })

/** A call with a code up to its end. */
async function told(person: Person, phone = aNumber(), reason = OVER) {
  const { data } = await verify(person, phone)
  const order = await voice.verificationOf(data.id)
  const script = new Script(app, data.id, order.token)
  await script.say({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' })
  await script.say(script.turn(0, 'agent', `Your code is: ${order.code.split('').join(', ')}.`))
  await script.say({ type: 'ended', reason, message: 'The call is over.', connectedSeconds: 20 })
  return { id: data.id, phone, order, script }
}

/** A code that is not the one. */
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

async function verified(person: Person): Promise<string> {
  const { phone, order } = await told(person)
  expect((await confirm(person, order.code)).status).toBe(200)
  return phone
}

describe('verifying a phone', () => {
  test('calls it, takes the code that was told, and is free and in no history', async () => {
    const person = await aPerson()
    const { client, params } = person
    const started = await verify(person, '+1 (202) 456-0901')
    expect(started).toMatchObject({
      status: 201,
      data: { phone: '+12024560901', status: 'calling', endReason: null, heard: null, triesLeft: CALLER_CODE_TRIES },
    })
    const { id } = started.data
    const order = await voice.verificationOf(id)
    expect(order).toMatchObject({ callId: id, userId: params.id, callee: '+12024560901', language: 'en' })
    expect(order.code).toMatch(/^\d{6}$/)
    const script = new Script(app, id, order.token)
    await script.say({ type: 'dialing' }, { type: 'placed', carrierCallId: 'x' }, { type: 'ringing' })
    expect((await listOf(person)).verification).toMatchObject({ status: 'ringing' })
    await script.say({ type: 'answered' })
    expect((await confirm(person, otherThan(order.code))).body).toMatchObject({ code: 'wrong_code', field: 'code' })
    const { data } = await confirm(person, order.code)
    expect(data).toMatchObject({ phone: '+12024560901', kind: 'verified', isDefault: false })
    expect(await listOf(person)).toMatchObject({ numbers: [{ phone: '+12024560901' }], verification: null })
    await script.say({ type: 'ended', reason: OVER, message: 'Over.', connectedSeconds: 20 })

    expect((await client.request(accountsRoutes.currentUser)).data.creditBalance).toBe('10')
    expect((await client.request(reportsRoutes.calls, { params, query: {} })).data).toEqual([])
    expect((await client.request(callsRoutes.active, { params })).data).toEqual([])
    expect((await client.request(callsRoutes.get, { params: { id } })).status).toBe(404)
  })

  test('neither stores the code nor puts it into a job', async () => {
    const { id, order } = await told(await aPerson())
    await app.context.db.update(callerVerification).set({ heard: null }).where(eq(callerVerification.id, id))
    const { rows } = await app.context.db.execute<{ n: number }>(sql`select count(*)::int as n from (
        select v::text as t from caller_verification v union all select j::text from jobs.job j) all_rows
      where position(${order.code} in t) > 0 and position(${id} in t) > 0`)
    expect(rows).toEqual([{ n: 0 }])
  })

  test('shows what a simulated phone heard, and how a call ended that told nothing', async () => {
    const person = await aPerson()
    const { order } = await told(person)
    const { verification } = await listOf(person)
    expect(verification).toMatchObject({ status: 'over', endReason: OVER })
    expect(verification?.heard).toBe(`Your code is: ${order.code.split('').join(', ')}.`)

    const { data } = await verify(person, aNumber())
    const script = new Script(app, data.id, (await voice.verificationOf(data.id)).token)
    await script.say({ type: 'ended', reason: 'busy', message: 'The line was busy.', connectedSeconds: 0 })
    expect((await listOf(person)).verification).toMatchObject({
      status: 'over',
      endReason: 'busy',
      endMessage: 'The line was busy.',
      heard: null,
    })
  })

  test(`takes ${CALLER_CODE_TRIES} codes at most, and each right one once`, async () => {
    const person = await aPerson()
    const { order, phone } = await told(person)
    for (let tries = 1; tries < CALLER_CODE_TRIES; tries++)
      expect((await confirm(person, otherThan(order.code))).body).toMatchObject({ code: 'wrong_code' })
    expect((await listOf(person)).verification).toMatchObject({ triesLeft: 1 })
    expect((await confirm(person, otherThan(order.code))).body).toMatchObject({ code: 'conflict' })
    expect((await confirm(person, order.code)).body).toMatchObject({ code: 'conflict' })
    expect((await listOf(person)).numbers).toEqual([])

    const again = await told(person, phone)
    const answers = await Promise.all([confirm(person, again.order.code), confirm(person, again.order.code)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
  })

  test('takes no code after ten minutes, and none of somebody else', async () => {
    const person = await aPerson()
    const { id, order } = await told(person)
    expect((await confirm(await aPerson(), order.code)).body).toMatchObject({ code: 'conflict' })
    const old = sql`now() - interval '601 seconds'`
    await app.context.db.update(callerVerification).set({ createdAt: old }).where(eq(callerVerification.id, id))
    expect((await confirm(person, order.code)).body).toMatchObject({ code: 'conflict' })
    expect((await listOf(person)).verification).toBeNull()
  })

  test('is refused for numbers that are never called, and while dialing is off', async () => {
    const person = await aPerson()
    const { client, params } = person
    for (const [phone, code] of [
      ['911', 'number_emergency'],
      ['+19005551234', 'number_premium'],
      ['+5352345678', 'country_not_allowed'],
      ['555', 'number_short_code'],
    ] as const)
      expect((await verify(person, phone)).body).toMatchObject({ code, field: 'phone' })
    const unwanted = aNumber()
    await client.request(consentRoutes.add, { params, body: { phone: unwanted } })
    expect((await verify(person, unwanted)).body).toMatchObject({ code: 'do_not_call' })
    await withTx(app.context.db, (tx) => turnDialing(tx, false, null))
    const refused = await verify(person, aNumber())
    await withTx(app.context.db, (tx) => turnDialing(tx, true, null))
    expect(refused.body).toMatchObject({ code: 'dialing_off' })
    expect(await app.context.db.$count(callerVerification, eq(callerVerification.userId, params.id))).toBe(0)
  })

  test('is bounded for an account and for a number, one call at a time', async () => {
    const person = await aPerson()
    const waiting = await verify(person, aNumber())
    expect((await verify(person, aNumber())).body).toMatchObject({ code: 'conflict' })
    const { token } = await voice.verificationOf(waiting.data.id)
    const busy = { type: 'ended', reason: 'busy', message: 'Busy.', connectedSeconds: 0 } as const
    await new Script(app, waiting.data.id, token).say(busy)
    for (let calls = 1; calls < VERIFICATIONS_PER_ACCOUNT_PER_DAY; calls++) await told(person)
    expect((await verify(person, aNumber())).body).toMatchObject({ code: 'attempts_exceeded' })

    const phone = aNumber()
    for (let calls = 0; calls < VERIFICATIONS_PER_NUMBER_PER_DAY; calls++) await told(await aPerson(), phone)
    const other = await aPerson()
    expect((await verify(other, phone)).body).toMatchObject({ code: 'attempts_exceeded', field: 'phone' })
    await app.context.db
      .update(callerVerification)
      .set({ createdAt: sql`now() - interval '25 hours'` })
      .where(eq(callerVerification.phone, phone))
    expect((await verify(other, phone)).status).toBe(201)
    await forgetVerifications(app.context.db, new Date(Date.now() + 47 * 3_600_000))
    expect(await app.context.db.$count(callerVerification, eq(callerVerification.phone, phone))).toBe(1)
  })

  test('joins a phone to the do-not-call list when it asks for that', async () => {
    const person = await aPerson()
    const { data } = await verify(person, aNumber())
    const script = new Script(app, data.id, (await voice.verificationOf(data.id)).token)
    await script.say({ type: 'answered' }, { type: 'opted_out', quote: '' })
    await script.say({ type: 'ended', reason: 'opted_out', message: 'Opted out.', connectedSeconds: 5 })
    const { client, params } = person
    const { data: listed } = await client.request(consentRoutes.list, { params, query: {} })
    expect(listed).toMatchObject([{ phone: data.phone, source: 'callee', callId: data.id }])
    expect((await verify(person, data.phone)).body).toMatchObject({ code: 'do_not_call' })
  })
})

describe('the order of a call with a code', () => {
  test('is given to voice once, and a node without room ends it with a sentence', async () => {
    const person = await aPerson()
    const { id } = await told(person)
    const given = voice.verifications.length
    await dialVerification(app.context.calls, id)
    expect(voice.verifications.length).toBe(given)

    voice.refuseWith = 503
    await verify(person, aNumber())
    await vi.waitFor(async () => {
      const { verification } = await listOf(person)
      expect(verification).toMatchObject({ status: 'over', endReason: 'carrier_failure' })
      expect(verification?.endMessage).toContain('no line was free')
    }, PATIENTLY)
  })

  test('is not made while voice is away, and goes to a deaf one', async () => {
    const person = await aPerson()
    voice.away = true
    expect((await verify(person, aNumber())).body).toMatchObject({ code: 'unavailable' })
    Object.assign(voice, { away: false, health: 'ok', phone: 'deaf' })
    expect((await verify(person, aNumber())).status).toBe(201)
  })

  test('that nobody hears of again is told as lost, and another may be asked for', async () => {
    const person = await aPerson()
    voice.dying = true
    const { data } = await verify(person, aNumber())
    await voice.verificationOf(data.id)
    voice.dying = false
    expect((await listOf(person)).verification).toMatchObject({ status: 'calling' })
    const old = sql`now() - interval '4 minutes'`
    await app.context.db.update(callerVerification).set({ createdAt: old }).where(eq(callerVerification.id, data.id))
    expect((await listOf(person)).verification).toMatchObject({ status: 'over', endReason: 'interrupted' })
    expect((await verify(person, aNumber())).status).toBe(201)
  })

  test('takes its facts once and in order, by its own token alone', async () => {
    const person = await aPerson()
    const { data } = await verify(person, aNumber())
    const { token } = await voice.verificationOf(data.id)
    const script = new Script(app, data.id, token)
    const [dialing, ringing] = [script.next({ type: 'dialing' }), script.next({ type: 'ringing' })]
    expect(await script.send(ringing)).toBe(0)
    expect(await script.send(ringing, dialing)).toBe(2)
    expect(await script.send(dialing)).toBe(2)
    await expect(new Script(app, data.id, `${token}x`).say({ type: 'answered' })).rejects.toThrow('401')
    await expect(new Script(app, `${data.id}0`).say({ type: 'answered' })).rejects.toThrow('404')
    expect((await listOf(person)).verification).toMatchObject({ status: 'ringing' })
  })

  test('rings in the browser for ...0199, where it can be answered by its own user alone', async () => {
    const person = await aPerson()
    const page = new WebSocket(`${app.url.replace('http', 'ws')}${LIVE_PATH}?userId=${person.params.id}`, {
      headers: { cookie: person.client.cookieHeader(), origin: 'http://localhost:3000' },
    })
    const messages: LiveMessage[] = []
    page.on('message', (text: Buffer) => void messages.push(LiveMessage.parse(JSON.parse(text.toString()))))
    await new Promise((resolve) => page.once('open', resolve))
    const { data } = await verify(person, '+12025550199')
    const { token } = await voice.verificationOf(data.id)
    await new Script(app, data.id, token).say({ type: 'dialing' }, { type: 'ringing' })
    const incoming = { type: 'incoming_call', callId: data.id, callee: '+12025550199', onBehalfOf: 'Parley' }
    await vi.waitFor(() => expect(messages).toContainEqual(incoming), PATIENTLY)
    page.close()
    expect(isVerificationId(data.id)).toBe(true)

    const open = ({ client }: Person, kind: 'audio' | 'answer') =>
      new WebSocket(app.url.replace('http', 'ws') + pathOf({ path: SOUND_PATHS[kind] }, { id: data.id }), {
        headers: { cookie: client.cookieHeader(), origin: 'http://localhost:3000' },
      })
    const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve))
    expect(await closed(open(await aPerson(), 'answer'))).toBe(SOUND_CLOSE.notFound)
    expect(await closed(open(person, 'audio'))).toBe(SOUND_CLOSE.notFound)
    const answered = open(person, 'answer')
    await vi.waitFor(() => {
      const { path } = voice.sockets.at(-1) ?? {}
      expect(path).toBe(`/v1/calls/${data.id}/answer`)
    }, PATIENTLY)
    answered.close()
  })
})

describe('a number to call from', () => {
  test('is used where a call names it or it is the default, and can be left out', async () => {
    const person = await aPerson()
    const { client, params } = person
    const [one, two] = [await verified(person), await verified(person)]
    expect((await place(person)).data.from).toBeNull()
    const named = await place(person, one)
    expect(named.data.from).toBe(one)
    expect(await voice.orderOf(named.data.id)).toMatchObject({ from: one })

    for (const phone of [one, two])
      await client.request(callerNumbersRoutes.change, { params: { ...params, phone }, body: { isDefault: true } })
    expect((await listOf(person)).numbers.map(({ isDefault }) => isDefault)).toEqual([false, true])
    expect((await place(person)).data.from).toBe(two)
    const without = await place(person, null)
    expect(without.data.from).toBeNull()
    expect((await voice.orderOf(without.data.id)).from).toBeUndefined()
    await client.request(callerNumbersRoutes.change, { params: { ...params, phone: two }, body: { isDefault: false } })
    expect((await listOf(person)).numbers.map(({ isDefault }) => isDefault)).toEqual([false, false])
  })

  test("is refused when it is nobody's, somebody else's or was removed", async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    const { client, params } = person
    const phone = await verified(other)
    const refused = { status: 422, body: { code: 'caller_number_refused', field: 'from' } }
    for (const from of [phone, aNumber(), '12', 'anonymous']) expect(await place(person, from)).toMatchObject(refused)
    const own = await verified(person)
    expect((await client.request(callerNumbersRoutes.remove, { params: { ...params, phone: own } })).status).toBe(200)
    expect(await place(person, own)).toMatchObject(refused)
    const foreign = { params: { ...params, phone } }
    expect((await client.request(callerNumbersRoutes.remove, foreign)).status).toBe(404)
    expect((await client.request(callerNumbersRoutes.change, { ...foreign, body: { isDefault: true } })).status).toBe(
      404,
    )
    expect((await client.request(accountsRoutes.currentUser)).data.creditBalance).toBe('10')
  })

  test('that is taken away before the call is dialed ends it with nothing charged', async () => {
    const person = await aPerson()
    const phone = await verified(person)
    // To the end: an order may be on its way while the number goes.
    voice.refuseWith = 503
    const { data } = await place(person, phone)
    await app.context.db.delete(callerNumber).where(eq(callerNumber.phone, phone))
    const read = async () => (await person.client.request(callsRoutes.get, { params: { id: data.id } })).data
    await vi.waitFor(
      async () => expect(await read()).toMatchObject({ endReason: 'not_allowed', creditsCharged: 0 }),
      PATIENTLY,
    )
    expect((await read()).endMessage).toContain('number to call from is not yours any more')
  })

  test('that the operator assigned works at once and cannot be removed by its user', async () => {
    const person = await aPerson()
    const phone = aNumber()
    const { client, params } = person
    await withTx(app.context.db, (tx) => changeOwned(tx, params.id, phone, 'add'))
    expect(await listOf(person)).toMatchObject({ numbers: [{ phone, kind: 'owned' }] })
    expect((await place(person, phone)).data.from).toBe(phone)
    expect((await client.request(callerNumbersRoutes.remove, { params: { ...params, phone } })).status).toBe(409)
    expect((await verify(person, phone)).body).toMatchObject({ code: 'conflict' })
    const other = await aPerson()
    await expect(withTx(app.context.db, (tx) => changeOwned(tx, other.params.id, phone, 'add'))).rejects.toThrow(
      'assigned to another account',
    )
  })

  test('that was verified on the simulated network counts there alone', async () => {
    const person = await aPerson()
    const phone = await verified(person)
    const own = { userId: person.params.id, phone }
    await app.context.db.update(callerNumber).set({ simulated: false }).where(eq(callerNumber.phone, own.phone))
    expect((await listOf(person)).numbers).toEqual([])
    expect((await place(person, phone)).body).toMatchObject({ code: 'caller_number_refused' })
  })
})
