import { describe, expect, it } from 'vitest'
import { silent } from './parties.ts'
import { clientOf, openFarEnds } from './testing.ts'

const open = openFarEnds()
const TO = '+12125550100'
const STAYS = '<Response><Pause length="60"/></Response>'
const answered = () => ({ type: 'answers', afterMs: 10, party: silent }) as const

/** Every field of what the package made of an answer, its own helpers left out. */
const fieldsOf = (instance: object) => Object.entries(instance).filter(([name]) => !name.startsWith('_'))
const missingIn = (instance: object) =>
  fieldsOf(instance).flatMap(([name, value]) => (value === undefined ? [name] : []))

describe('the REST API', () => {
  it('gives every documented field of a call, before, during and after it', async () => {
    const farEnd = await open.farEnd({ answering: answered })
    const client = clientOf(farEnd)
    const created = await client.calls.create({ to: TO, from: farEnd.number, twiml: STAYS })
    await expect.poll(() => farEnd.call(created.sid)?.status).toBe('in-progress')
    const running = await client.calls(created.sid).fetch()
    await client.calls(created.sid).update({ status: 'completed' })
    await expect.poll(async () => (await client.calls(created.sid).fetch()).price).not.toBeNull()
    const ended = await client.calls(created.sid).fetch()
    for (const call of [created, running, ended]) {
      expect(fieldsOf(call)).toHaveLength(26)
      expect(missingIn(call)).toEqual([])
      for (const at of [call.dateCreated, call.dateUpdated]) expect(at).toBeInstanceOf(Date)
    }
    expect(created).toMatchObject({ status: 'queued', duration: null, price: null, endTime: null, answeredBy: null })
    expect(running).toMatchObject({ status: 'in-progress', duration: null, direction: 'outbound-api' })
    expect(running.startTime).toBeInstanceOf(Date)
    expect(ended.duration).toMatch(/^[1-9]$/)
    expect(ended).toMatchObject({ status: 'completed', price: '-0.01400', priceUnit: 'USD' })
    expect(ended.endTime).toBeInstanceOf(Date)
    expect(ended.toFormatted).toBe('(212) 555-0100')
    expect(ended.subresourceUris['recordings']).toBe(
      `/2010-04-01/Accounts/${farEnd.accountSid}/Calls/${ended.sid}/Recordings.json`,
    )
    expect(farEnd.account.balance).toBeCloseTo(100 - 0.014, 5)
  })

  it('lists calls by number, status and start, newest first, page by page', async () => {
    const farEnd = await open.farEnd({ answering: () => ({ type: 'busy' }) })
    const client = clientOf(farEnd)
    const sids: string[] = []
    for (let i = 0; i < 5; i++) {
      const to = `+1212555010${i % 2}`
      sids.push((await client.calls.create({ to, from: farEnd.number, twiml: STAYS })).sid)
    }
    await expect.poll(() => farEnd.calls.every(({ status }) => status === 'busy')).toBe(true)
    const all = await client.calls.list({ pageSize: 2 })
    expect(all.map(({ sid }) => sid)).toEqual(sids.toReversed())
    expect(await client.calls.list({ pageSize: 2, limit: 3 })).toHaveLength(3)
    const first = await client.calls.page({ pageSize: 2 })
    const second = await first.nextPage()
    expect(second!.instances.map(({ sid }) => sid)).toEqual([sids[2], sids[1]])
    expect((await second!.previousPage())!.instances[0]!.sid).toBe(sids[4])
    expect(await client.calls.list({ to: '+12125550101' })).toHaveLength(2)
    expect(await client.calls.list({ status: 'in-progress' })).toEqual([])
    expect(await client.calls.list({ from: farEnd.number, status: 'busy' })).toHaveLength(5)
    expect(await client.calls.list({ startTimeAfter: new Date(Date.now() - 60_000) })).toHaveLength(5)
    expect(await client.calls.list({ startTimeAfter: new Date(Date.now() + 60_000) })).toEqual([])
    expect(await client.calls.list({ startTimeBefore: new Date(Date.now() - 60_000) })).toEqual([])
    expect(await client.calls.list({ endTimeAfter: new Date(Date.now() - 60_000) })).toHaveLength(5)
  })

  it('shows the account, its balance and its numbers', async () => {
    const farEnd = await open.farEnd({ numbers: ['+12025550001', '+12025550002'] })
    const client = clientOf(farEnd)
    farEnd.account.balance = 12.345
    farEnd.account.verify('+4930123456', 'Office')
    const account = await client.api.v2010.accounts(farEnd.accountSid).fetch()
    expect(account).toMatchObject({ sid: farEnd.accountSid, status: 'active', type: 'Full' })
    const balance = await client.balance.fetch()
    expect(balance).toMatchObject({ accountSid: farEnd.accountSid, balance: '12.35', currency: 'USD' })
    const numbers = await client.incomingPhoneNumbers.list()
    expect(numbers.map(({ phoneNumber }) => phoneNumber)).toEqual(['+12025550001', '+12025550002'])
    const found = await client.incomingPhoneNumbers.list({ phoneNumber: '+12025550002' })
    expect(found.map(({ sid }) => sid)).toEqual([numbers[1]!.sid])
    const callerIds = await client.outgoingCallerIds.list({ phoneNumber: '+4930123456' })
    expect(callerIds).toMatchObject([{ phoneNumber: '+4930123456', friendlyName: 'Office' }])
    expect([account, balance, ...numbers, ...callerIds].flatMap(missingIn)).toEqual([])
  })

  it('validates a caller id with a code that is entered at the called phone', async () => {
    const farEnd = await open.farEnd({ answering: answered })
    const customer = await open.customer()
    const client = clientOf(farEnd)
    const phoneNumber = '+4930123456'
    const statusCallback = `${customer.url}/validated`
    const asked = await client.validationRequests.create({ phoneNumber, friendlyName: 'Office', statusCallback })
    expect(asked).toMatchObject({ accountSid: farEnd.accountSid, phoneNumber, friendlyName: 'Office' })
    expect(asked.validationCode).toMatch(/^\d{6}$/)
    expect(farEnd.call(asked.callSid)?.to).toBe(phoneNumber)
    const call = { to: TO, from: phoneNumber, twiml: STAYS }
    await expect(client.calls.create(call)).rejects.toMatchObject({ code: 21210, status: 400 })
    expect(farEnd.account.enterCode(phoneNumber, asked.validationCode === '000000' ? '1' : '000000')).toBe(false)
    const again = await client.validationRequests.create({ phoneNumber })
    expect(farEnd.account.enterCode(phoneNumber, again.validationCode)).toBe(true)
    await expect.poll(() => customer.at('/validated')[0]?.form['VerificationStatus']).toBe('failed')
    expect((await client.calls.create(call)).fromFormatted).toBe(phoneNumber)
    await expect(client.validationRequests.create({ phoneNumber })).rejects.toMatchObject({ code: 21450 })
  })

  it('takes an API key, and refuses a wrong token with 20003', async () => {
    const farEnd = await open.farEnd()
    const { sid: username, secret: password } = farEnd.apiKey
    expect((await clientOf(farEnd, { username, password }).balance.fetch()).currency).toBe('USD')
    const wrong = clientOf(farEnd, { password: 'wrong' }).balance.fetch()
    const moreInfo = 'https://www.twilio.com/docs/errors/20003'
    await expect(wrong).rejects.toMatchObject({ status: 401, code: 20003, moreInfo })
    const other = clientOf(farEnd)
      .api.v2010.accounts(`AC${'0'.repeat(32)}`)
      .fetch()
    await expect(other).rejects.toMatchObject({ status: 404, code: 20404 })
  })

  it.each([
    ['no To', { to: '' }, 21201],
    ['an invalid To', { to: '0301234' }, 21211],
    ['an invalid From', { from: '12' }, 21212],
    ['a From of somebody else', { from: '+13105550100' }, 21210],
    ['an unreachable To', { to: '+15005550002' }, 21214],
    ['a country that is not permitted', { to: '+15005550003' }, 21215],
    ['a blocked To', { to: '+15005550004' }, 21216],
    ['a To that cannot be', { to: '+15005550001' }, 21217],
    ['no TwiML', { twiml: '' }, 21205],
    ['an address that is none', { twiml: '', url: 'ftp://example.com/' }, 21205],
    ['TwiML of more than 4000 characters', { twiml: `<Response>${' '.repeat(4000)}</Response>` }, 20001],
    ['a time-out of more than 600 s', { timeout: 601 }, 20001],
    ['digits that are none', { sendDigits: '12x' }, 20001],
  ])('refuses %s', async (_, wrong, code) => {
    const farEnd = await open.farEnd()
    const right = { to: TO, from: farEnd.number, twiml: STAYS }
    await expect(clientOf(farEnd).calls.create({ ...right, ...wrong })).rejects.toMatchObject({ status: 400, code })
    expect(farEnd.calls).toEqual([])
  })

  it('refuses by the state of the account', async () => {
    const farEnd = await open.farEnd({ answering: answered })
    const client = clientOf(farEnd)
    const create = () => client.calls.create({ to: TO, from: farEnd.number, twiml: STAYS })
    farEnd.account.type = 'Trial'
    await expect(create()).rejects.toMatchObject({ code: 21219 })
    farEnd.account.verify(TO)
    await expect(create()).resolves.toMatchObject({ status: 'queued' })
    farEnd.account.balance = 0
    await expect(create()).rejects.toMatchObject({ code: 20005, status: 403 })
    farEnd.account.balance = 5
    farEnd.account.refusedPrefixes.set('+1212', 21215)
    await expect(create()).rejects.toMatchObject({ code: 21215 })
    farEnd.account.refusedPrefixes.clear()
    farEnd.account.status = 'suspended'
    await expect(create()).rejects.toMatchObject({ code: 20403, status: 403 })
    expect(farEnd.calls).toHaveLength(1)
  })

  it('answers what is not there with 20404, and what is too large with an error', async () => {
    const farEnd = await open.farEnd()
    const client = clientOf(farEnd)
    await expect(client.calls(`CA${'0'.repeat(32)}`).fetch()).rejects.toMatchObject({ code: 20404, status: 404 })
    await expect(client.calls('CA1').fetch()).rejects.toMatchObject({ code: 20404 })
    await expect(client.conferences.list()).rejects.toMatchObject({ code: 20404 })
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, twiml: STAYS })
    await expect(client.calls(sid).remove()).rejects.toMatchObject({ code: 20004, status: 405 })
    const twiml = 'x'.repeat(100_000)
    await expect(client.calls.create({ to: TO, from: farEnd.number, twiml })).rejects.toMatchObject({ code: 20001 })
    expect(farEnd.calls).toHaveLength(1)
  })
})
