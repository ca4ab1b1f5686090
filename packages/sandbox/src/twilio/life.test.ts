import { levelDbm0, sines } from '@parley/voice-ports'
import twilio from 'twilio'
import { describe, expect, it } from 'vitest'
import type { TwilioFarEnd } from './index.ts'
import { echo, fax, hangsUpAfter, machine, type Pickup, recorder, silent } from './parties.ts'
import { clientOf, connecting, type Customer, openFarEnds, type Received } from './testing.ts'

const open = openFarEnds()
const TO = '+12125550100'
const STAYS = '<Response><Pause length="60"/></Response>'
const EVENTS = ['initiated', 'ringing', 'answered', 'completed']
const answers: Pickup = { type: 'answers', afterMs: 10, party: silent }

const order = (farEnd: TwilioFarEnd, customer: Customer, twiml = STAYS) => ({
  to: TO,
  from: farEnd.number,
  twiml,
  statusCallback: `${customer.url}/status`,
  statusCallbackEvent: EVENTS,
})

async function both(pickup: Pickup | null = answers) {
  const farEnd = await open.farEnd({ answering: () => pickup })
  return { farEnd, customer: await open.customer(), client: clientOf(farEnd) }
}

const told = (customer: Customer) =>
  customer.at('/status').map(({ form }) => [form['CallStatus'], form['SequenceNumber']].join(' '))

function isSigned({ headers, url, form }: Received, { authToken }: TwilioFarEnd): boolean {
  return twilio.validateRequest(authToken, String(headers['x-twilio-signature']), url, form)
}

describe('a call', () => {
  it('rings, is answered, streams both ways and is completed by the customer', async () => {
    const { farEnd, customer, client } = await both({ type: 'answers', party: () => echo(40) })
    const created = await client.calls.create(order(farEnd, customer, connecting(customer)))
    expect(created.status).toBe('queued')
    await expect.poll(() => customer.media[0]?.of('media').length).toBeGreaterThan(3)
    const [media] = customer.media
    media!.play(sines([500], 200))
    media!.mark('said')
    await expect.poll(() => media!.of('mark').length).toBe(1)
    await expect.poll(() => media!.audio.filter((audio) => levelDbm0(audio) > -20).length).toBeGreaterThanOrEqual(10)
    await client.calls(created.sid).update({ status: 'completed' })
    await expect.poll(() => told(customer)).toEqual(['initiated 0', 'ringing 1', 'in-progress 2', 'completed 3'])
    await expect.poll(() => media!.closeCode).toBe(1000)
    expect(media!.of('stop')).toHaveLength(1)
    const callbacks = customer.at('/status')
    expect(callbacks.every((callback) => isSigned(callback, farEnd))).toBe(true)
    const { form } = callbacks[3]!
    expect(form).toMatchObject({ CallSid: created.sid, AccountSid: farEnd.accountSid, From: farEnd.number, To: TO })
    expect(form['CallDuration']).toMatch(/^[1-9]$/)
    expect(form).toMatchObject({ Duration: '1', SipResponseCode: '200', Direction: 'outbound-api' })
    expect(form).toMatchObject({ ApiVersion: '2010-04-01', CallbackSource: 'call-progress-events' })
    expect(form['Timestamp']).toMatch(/^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/)
    expect(farEnd.warnings).toEqual([])
  })

  it('is answered by the persona of its number, in sound alone', async () => {
    const { farEnd, customer, client } = await both(null)
    await client.calls.create(order(farEnd, customer, connecting(customer)))
    const loud = () => customer.media[0]?.audio.filter((audio) => levelDbm0(audio) > -40).length
    await expect.poll(loud).toBeGreaterThan(10)
    expect(Object.keys(customer.media[0]!.of('media')[0]!['media']!)).not.toContain('text')
  })

  it.each<[string, string, Pickup | null, string, string, string[]]>([
    ['busy', TO, { type: 'busy' }, 'busy', '486', ['initiated 0', 'busy 1']],
    ['busy, as its persona', '+12125550101', null, 'busy', '486', ['initiated 0', 'busy 1']],
    ['not in service', TO, { type: 'fails', sipCode: 404 }, 'failed', '404', ['initiated 0', 'failed 1']],
    ['not there for now', TO, { type: 'fails', sipCode: 480 }, 'no-answer', '480', ['initiated 0', 'no-answer 1']],
    [
      'not answered',
      TO,
      { type: 'no_answer', afterMs: 20 },
      'no-answer',
      '480',
      ['initiated 0', 'ringing 1', 'no-answer 2'],
    ],
  ])('ends when the callee is %s', async (_, to, pickup, status, sipCode, events) => {
    const { farEnd, customer, client } = await both(pickup)
    const { sid } = await client.calls.create({ ...order(farEnd, customer), to })
    await expect.poll(() => told(customer)).toEqual(events)
    const last = customer.at('/status').at(-1)!.form
    expect(last).toMatchObject({ CallDuration: '0', Duration: '0', SipResponseCode: sipCode })
    expect(await client.calls(sid).fetch()).toMatchObject({ status, duration: null, price: null })
  })

  it.each(['completed', 'canceled'] as const)('is canceled by %s while it rings', async (status) => {
    const { farEnd, customer, client } = await both({ type: 'no_answer' })
    const { sid } = await client.calls.create(order(farEnd, customer))
    await expect.poll(() => farEnd.call(sid)?.status).toBe('ringing')
    expect((await client.calls(sid).update({ status })).status).toBe('canceled')
    await expect.poll(() => told(customer).at(-1)).toBe('canceled 2')
  })

  it('is not canceled once it goes on, and cannot be changed once it is over', async () => {
    const { farEnd, customer, client } = await both()
    const { sid } = await client.calls.create(order(farEnd, customer))
    await expect(client.calls(sid).update({ twiml: STAYS })).rejects.toMatchObject({ code: 21220, status: 400 })
    await expect.poll(() => farEnd.call(sid)?.status).toBe('in-progress')
    expect((await client.calls(sid).update({ status: 'canceled' })).status).toBe('in-progress')
    expect((await client.calls(sid).update({ status: 'completed' })).status).toBe('completed')
    for (const change of [{ status: 'completed' as const }, { twiml: STAYS }])
      await expect(client.calls(sid).update(change)).rejects.toMatchObject({ code: 21220, status: 400 })
  })

  it('rings no longer than its time-out, and ends at its time limit or when the callee hangs up', async () => {
    const leaves: Pickup = { ...answers, party: () => hangsUpAfter(60) }
    const pickups = new Map<string, Pickup>([
      ['+12125550101', { type: 'no_answer' }],
      ['+12125550102', answers],
      ['+12125550103', leaves],
    ])
    const farEnd = await open.farEnd({ answering: (to) => pickups.get(to) ?? null })
    const client = clientOf(farEnd)
    const orders = [...pickups.keys()].map((to) => ({ to, from: farEnd.number, twiml: STAYS }))
    await client.calls.create({ ...orders[0]!, timeout: 1 })
    await client.calls.create({ ...orders[1]!, timeLimit: 1 })
    await client.calls.create(orders[2]!)
    const ends = () => farEnd.calls.map(({ status, sipCode }) => [status, sipCode])
    await expect.poll(ends).toEqual([
      ['no-answer', 487],
      ['completed', 200],
      ['completed', 200],
    ])
    const [leaving, limited] = await client.calls.list()
    expect(leaving!.duration).toMatch(/^[1-9]$/)
    expect(limited!.duration).toMatch(/^[1-9]$/)
  })

  it('is answered or declined by hand', async () => {
    const { farEnd, customer, client } = await both({ type: 'no_answer' })
    const one = await client.calls.create(order(farEnd, customer))
    const two = await client.calls.create(order(farEnd, customer))
    await expect.poll(() => farEnd.calls.every(({ status }) => status === 'ringing')).toBe(true)
    farEnd.call(one.sid)!.answer(silent())
    farEnd.call(two.sid)!.hangUp()
    expect(farEnd.calls.map(({ status }) => status)).toEqual(['in-progress', 'busy'])
  })

  it('posts the end alone where no event is named, and warns of unknown events', async () => {
    const { farEnd, customer, client } = await both({ type: 'busy' })
    await client.calls.create({ ...order(farEnd, customer), statusCallbackEvent: [] })
    await expect.poll(() => told(customer)).toEqual(['busy 1'])
    const wrong = await client.calls.create({ ...order(farEnd, customer), statusCallbackEvent: ['completed ringing'] })
    await expect.poll(() => farEnd.call(wrong.sid)?.status).toBe('busy')
    expect(farEnd.warnings).toMatchObject([{ callSid: wrong.sid, code: 21626 }])
    expect(told(customer)).toHaveLength(1)
  })

  it('signs what is not ASCII and what is empty', async () => {
    const { farEnd, customer, client } = await both({ type: 'busy' })
    await client.calls.create({ ...order(farEnd, customer), to: '+551135892112' })
    await expect.poll(() => told(customer)).toHaveLength(2)
    const [received] = customer.at('/status')
    expect(received!.form).toMatchObject({ ToCity: 'São Paulo', CalledZip: '', FromCountry: 'US' })
    expect(isSigned(received!, farEnd)).toBe(true)
  })

  it('sends digits before anything else', async () => {
    const callee = recorder()
    const { farEnd, customer, client } = await both({ ...answers, party: () => callee })
    const twiml = '<Response><Play digits="9"/></Response>'
    await client.calls.create({ ...order(farEnd, customer, twiml), sendDigits: '1w#' })
    await expect.poll(() => callee.digits.map(({ digit }) => digit).join('')).toBe('1#9')
    const [first, second] = callee.digits
    expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(690)
  })
})

describe('machine detection', () => {
  const detected = async (pickup: Pickup, more: { machineDetection: string; machineDetectionTimeout?: number }) => {
    const { farEnd, customer, client } = await both(pickup)
    const asked = { asyncAmd: 'true', asyncAmdStatusCallback: `${customer.url}/amd`, ...more }
    const { sid } = await client.calls.create({ ...order(farEnd, customer), ...asked })
    await expect.poll(() => customer.at('/amd').length).toBe(1)
    const [received] = customer.at('/amd')
    expect(isSigned(received!, farEnd)).toBe(true)
    expect(received!.form['CallSid']).toBe(sid)
    expect((await client.calls(sid).fetch()).answeredBy).toBe(received!.form['AnsweredBy'])
    return received!.form
  }

  it.each<[string, Pickup, string, string]>([
    ['a person', answers, 'Enable', 'human'],
    ['a machine', { ...answers, answeredBy: 'machine_start', party: () => machine() }, 'Enable', 'machine_start'],
    ['a fax', { ...answers, answeredBy: 'fax', party: fax }, 'Enable', 'fax'],
    ['what it cannot tell', { ...answers, answeredBy: 'unknown' }, 'DetectMessageEnd', 'unknown'],
    [
      'a machine without a beep',
      { ...answers, answeredBy: 'machine_end_silence' },
      'DetectMessageEnd',
      'machine_end_silence',
    ],
  ])('reports %s', async (_, pickup, machineDetection, answeredBy) => {
    expect(await detected(pickup, { machineDetection })).toMatchObject({ AnsweredBy: answeredBy })
  })

  it('reports the beep once it is over', async () => {
    const party = () => machine({ greeting: 'Hello.', beepMs: 200 })
    const pickup: Pickup = { ...answers, answeredBy: 'machine_start', party }
    const form = await detected(pickup, { machineDetection: 'DetectMessageEnd' })
    expect(form['AnsweredBy']).toBe('machine_end_beep')
    expect(Number(form['MachineDetectionDuration'])).toBeGreaterThan(200)
  })

  it('holds the TwiML back until the verdict, and gives it with the request', async () => {
    const { farEnd, customer, client } = await both()
    customer.twiml.set('/twiml', STAYS)
    const { to, from } = order(farEnd, customer)
    await client.calls.create({ to, from, url: `${customer.url}/twiml`, machineDetection: 'Enable' })
    await expect.poll(() => customer.at('/twiml').length).toBe(1)
    expect(customer.at('/twiml')[0]!.form).toMatchObject({ AnsweredBy: 'human', CallStatus: 'in-progress' })
    expect(Number(customer.at('/twiml')[0]!.form['MachineDetectionDuration'])).toBeGreaterThan(100)
  })
})
