import twilio from 'twilio'
import { describe, expect, it } from 'vitest'
import type { Occasion, RequestFault, StreamFault } from './faults.ts'
import { type Pickup, silent } from './parties.ts'
import { clientOf, connecting, deadUrl, type Media, openFarEnds } from './testing.ts'

const open = openFarEnds()
const TO = '+12125550100'
const STAYS = '<Response><Pause length="60"/></Response>'
const answers: Pickup = { type: 'answers', afterMs: 10, party: silent }
const EVENTS = ['initiated', 'ringing', 'answered', 'completed']

async function started(pickup = answers) {
  const farEnd = await open.farEnd({ answering: () => pickup })
  const customer = await open.customer()
  const client = clientOf(farEnd)
  const order = { to: TO, from: farEnd.number, statusCallback: `${customer.url}/status`, statusCallbackEvent: EVENTS }
  const create = (twiml = STAYS) => client.calls.create({ ...order, twiml })
  const told = () => customer.at('/status').map(({ form }) => form['CallStatus'])
  return { farEnd, customer, client, create, told }
}

describe('a fault of a request', () => {
  it.each<[string, RequestFault, number, object]>([
    ['500 though the call was made', { how: 'error', made: true }, 1, { status: 500, code: 20500 }],
    ['500 and no call', { how: 'error', made: false }, 0, { status: 500, code: 20500 }],
    ['503 and no call', { how: 'error', made: false, status: 503 }, 0, { status: 503 }],
    ['429', { how: 'busy', retryAfterSeconds: 2 }, 0, { status: 429, code: 20429 }],
    ['a time-out though the call was made', { how: 'timeout', made: true }, 1, { code: 'ECONNABORTED' }],
    ['a time-out and no call', { how: 'timeout', made: false }, 0, { code: 'ECONNABORTED' }],
    ['a reset though the call was made', { how: 'reset', made: true }, 1, { code: 'ECONNRESET' }],
    ['a reset and no call', { how: 'reset', made: false }, 0, { code: 'ECONNRESET' }],
    ['a refusal', { how: 'refused', code: 21215 }, 0, { status: 400, code: 21215 }],
  ])('answers a new call with %s, and the next one well', async (_, fault, calls, error) => {
    const { farEnd, client, create } = await started()
    farEnd.faults.set('create', fault)
    const timeoutMs = fault.how === 'timeout' ? 300 : 5000
    const order = { to: TO, from: farEnd.number, twiml: STAYS }
    await expect(clientOf(farEnd, { timeoutMs }).calls.create(order)).rejects.toMatchObject(error)
    await expect.poll(() => farEnd.calls.length).toBe(calls)
    expect(await client.calls.list({ to: TO })).toHaveLength(calls)
    await expect(create()).resolves.toMatchObject({ status: 'queued' })
    expect(farEnd.calls).toHaveLength(calls + 1)
  })

  it('answers 429 with the seconds to wait', async () => {
    const { farEnd } = await started()
    farEnd.faults.set('request', { how: 'busy', retryAfterSeconds: 7 })
    const authorization = `Basic ${Buffer.from(`${farEnd.accountSid}:${farEnd.authToken}`).toString('base64')}`
    const url = `${farEnd.url}/2010-04-01/Accounts/${farEnd.accountSid}/Balance.json`
    const answer = await fetch(url, { headers: { authorization } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
  })

  it('lets hanging up fail so many times, with the call going on', async () => {
    const { farEnd, client, create } = await started()
    const { sid } = await create()
    await expect.poll(() => farEnd.call(sid)?.status).toBe('in-progress')
    farEnd.faults.set('update', { how: 'error', made: false }, { times: 2 })
    const hangUp = () => client.calls(sid).update({ status: 'completed' })
    await expect(hangUp()).rejects.toMatchObject({ status: 500 })
    await expect(hangUp()).rejects.toMatchObject({ status: 500 })
    expect(farEnd.call(sid)?.status).toBe('in-progress')
    await expect(hangUp()).resolves.toMatchObject({ status: 'completed' })
  })

  it('lets looking up fail until it is withdrawn, and lists new calls late', async () => {
    const { farEnd, client, create } = await started()
    const { sid } = await create()
    const withdraw = farEnd.faults.set('fetch', { how: 'reset', made: false }, { times: Infinity })
    for (let i = 0; i < 3; i++) await expect(client.calls(sid).fetch()).rejects.toMatchObject({ code: 'ECONNRESET' })
    withdraw()
    await expect(client.calls(sid).fetch()).resolves.toMatchObject({ sid })
    farEnd.faults.set('list', { how: 'stale', ms: 60_000 })
    expect(await client.calls.list()).toEqual([])
    expect(await client.calls.list()).toHaveLength(1)
    farEnd.faults.set('list', { how: 'slow', ms: 150 })
    const askedMs = performance.now()
    expect(await client.calls.list()).toHaveLength(1)
    expect(performance.now() - askedMs).toBeGreaterThan(140)
  })

  it('strikes the calls that it is set for, and none once the board is cleared', async () => {
    const { farEnd, client, create } = await started()
    const on = ({ to }: Occasion) => to === '+12125550101'
    farEnd.faults.set('create', { how: 'error', made: false }, { times: Infinity, on })
    await expect(create()).resolves.toMatchObject({ to: TO })
    const other = { to: '+12125550101', from: farEnd.number, twiml: STAYS }
    await expect(client.calls.create(other)).rejects.toMatchObject({ status: 500 })
    farEnd.faults.clear()
    await expect(client.calls.create(other)).resolves.toMatchObject({ to: other.to })
  })
})

describe('a fault of a callback', () => {
  const completed = { on: ({ event }: Occasion) => event === 'completed' }

  it('loses the end', async () => {
    const { farEnd, client, create, told } = await started()
    farEnd.faults.set('status', { how: 'lost' }, completed)
    const { sid } = await create()
    await expect.poll(told).toHaveLength(3)
    await client.calls(sid).update({ status: 'completed' })
    await expect.poll(() => farEnd.deliveries.at(-1)?.status).toBe('lost')
    expect(told()).toEqual(['initiated', 'ringing', 'in-progress'])
  })

  it('doubles one, and lets another be overtaken', async () => {
    const { farEnd, customer, client, create, told } = await started()
    farEnd.faults.set('status', { how: 'delayed', ms: 150 }, { on: ({ event }) => event === 'ringing' })
    farEnd.faults.set('status', { how: 'doubled' }, { on: ({ event }) => event === 'answered' })
    const { sid } = await create()
    await expect.poll(told).toEqual(['initiated', 'in-progress', 'in-progress', 'ringing'])
    expect(customer.at('/status').map(({ form }) => form['SequenceNumber'])).toEqual(['0', '2', '2', '1'])
    await client.calls(sid).update({ status: 'completed' })
    await expect.poll(() => told().at(-1)).toBe('completed')
  })

  it('signs badly', async () => {
    const { farEnd, customer, create, told } = await started()
    farEnd.faults.set('status', { how: 'bad_signature' })
    await create()
    await expect.poll(told).toHaveLength(3)
    const valid = customer.at('/status').map(({ url, headers, form }) => {
      return twilio.validateRequest(farEnd.authToken, String(headers['x-twilio-signature']), url, form)
    })
    expect(valid).toEqual([false, true, true])
  })

  it('tries once more where nobody listens, and as often as the address asks for', async () => {
    const { farEnd, customer, client } = await started({ type: 'busy' })
    const statuses = () => farEnd.deliveries.map(({ status, attempt }) => [status, attempt])
    const order = { to: TO, from: farEnd.number, twiml: STAYS }
    await client.calls.create({ ...order, statusCallback: `${await deadUrl()}/status` })
    await expect.poll(statuses).toEqual([
      [0, 1],
      [0, 2],
    ])
    customer.twiml.set('/failing', 500)
    await client.calls.create({ ...order, statusCallback: `${customer.url}/failing` })
    await expect.poll(() => statuses().slice(2)).toEqual([[500, 1]])
    await client.calls.create({ ...order, statusCallback: `${customer.url}/failing#rc=2&rp=5xx` })
    await expect
      .poll(() => statuses().slice(3))
      .toEqual([
        [500, 1],
        [500, 2],
        [500, 3],
      ])
    const [first, second, third] = customer.received.slice(1)
    expect(second!.headers['i-twilio-idempotency-token']).toBe(first!.headers['i-twilio-idempotency-token'])
    const signature = String(third!.headers['x-twilio-signature'])
    expect(twilio.validateRequest(farEnd.authToken, signature, `${customer.url}/failing`, third!.form)).toBe(true)
  })

  it('delays or loses a request for TwiML', async () => {
    const { farEnd, customer, client } = await started()
    customer.twiml.set('/twiml', STAYS)
    const order = { to: TO, from: farEnd.number, url: `${customer.url}/twiml` }
    farEnd.faults.set('twiml', { how: 'delayed', ms: 200 })
    const createdMs = performance.now()
    await client.calls.create(order)
    await expect.poll(() => customer.at('/twiml').length).toBe(1)
    expect(customer.at('/twiml')[0]!.atMs - createdMs).toBeGreaterThan(200)
    farEnd.faults.set('twiml', { how: 'lost' })
    const lost = await client.calls.create(order)
    await expect.poll(() => farEnd.call(lost.sid)?.status).toBe('completed')
    expect(farEnd.warnings).toMatchObject([{ callSid: lost.sid, code: 11200 }])
  })
})

describe('a fault of a stream', () => {
  const streaming = async (fault: StreamFault) => {
    const world = await started()
    world.farEnd.faults.set('stream', fault)
    const { sid } = await world.create(connecting(world.customer))
    const opened = () => world.customer.media[0]
    await expect.poll(() => opened()?.of('start').length).toBe(1)
    return { ...world, call: world.farEnd.call(sid)!, media: opened()! }
  }
  const arrivals = (media: Media) =>
    media.messages.flatMap(({ message, atMs }) => (message.event === 'media' ? [atMs] : []))
  const chunks = (media: Media) =>
    media.of('media').map(({ media: frame }) => Number((frame as { chunk: string }).chunk))

  it('opens late', async () => {
    const startedMs = performance.now()
    const { call, media } = await streaming({ how: 'slow_open', ms: 300 })
    expect(call.streams[0]!.state).toBe('open')
    expect(media.messages[0]!.atMs - startedMs).toBeGreaterThan(300)
  })

  it('breaks in mid-call, and ends the call without another verb', async () => {
    const { call, media } = await streaming({ how: 'dropped', afterMs: 60, callGoesOn: false })
    await expect.poll(() => media.closeCode).toBe(1006)
    await expect.poll(() => call.status).toBe('completed')
    expect(media.of('stop')).toEqual([])
  })

  it('breaks in mid-call with the call going on, until it is hung up', async () => {
    const { client, call, media } = await streaming({ how: 'dropped', afterMs: 60, callGoesOn: true })
    await expect.poll(() => media.closeCode).toBe(1006)
    expect((await client.calls(call.sid).fetch()).status).toBe('in-progress')
    expect((await client.calls(call.sid).update({ status: 'completed' })).status).toBe('completed')
  })

  it('freezes with its socket open', async () => {
    const { call, media } = await streaming({ how: 'frozen', afterMs: 100 })
    await expect.poll(() => call.streams[0]!.framesSent - media.of('media').length).toBeGreaterThan(5)
    media.mark('unheard')
    const sent = call.streams[0]!.framesSent
    await expect.poll(() => call.streams[0]!.framesSent).toBeGreaterThan(sent + 5)
    expect(media.of('mark')).toEqual([])
    expect([media.closeCode, call.status]).toEqual([null, 'in-progress'])
  })

  it('brings frames late', async () => {
    const { media } = await streaming({ how: 'delayed', ms: 300 })
    await expect.poll(() => arrivals(media).length).toBeGreaterThan(3)
    expect(arrivals(media)[0]! - media.messages[0]!.atMs).toBeGreaterThan(150)
    expect(chunks(media)[0]).toBe(1)
  })

  it('brings frames in bursts', async () => {
    const { media } = await streaming({ how: 'bursts', everyMs: 200 })
    await expect.poll(() => arrivals(media).length).toBeGreaterThanOrEqual(20)
    const waits = arrivals(media)
      .slice(1, 20)
      .map((atMs, at) => atMs - arrivals(media)[at]!)
    expect(waits.filter((ms) => ms < 10).length).toBeGreaterThanOrEqual(15)
    expect(chunks(media).slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
  })

  it('leaves frames out', async () => {
    const { media } = await streaming({ how: 'gaps', every: 3 })
    await expect.poll(() => chunks(media).slice(0, 6)).toEqual([1, 2, 4, 5, 7, 8])
  })

  it('signs badly', async () => {
    const { farEnd, customer, media } = await streaming({ how: 'bad_signature' })
    const signature = String(media.headers['x-twilio-signature'])
    expect(twilio.validateRequest(farEnd.authToken, signature, customer.mediaUrl, {})).toBe(false)
  })
})
