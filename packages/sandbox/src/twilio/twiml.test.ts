import fc from 'fast-check'
import { levelDbm0, sines } from '@parley/voice-ports'
import twilio from 'twilio'
import { describe, expect, it } from 'vitest'
import { parseTwiml, TwimlFault } from './calls/twiml.ts'
import { parseXml } from './calls/xml.ts'
import { type Pickup, recorder, silent, tone } from './parties.ts'
import { clientOf, connecting, openFarEnds } from './testing.ts'

const open = openFarEnds()
const TO = '+12125550100'
const OTHER = '+12125550111'
const BASE = 'https://voice.example/twiml'

const codeOf = (source: string): number => {
  try {
    parseTwiml(source, BASE)
  } catch (error) {
    if (error instanceof TwimlFault) return error.code
  }
  return 0
}

describe('TwiML', () => {
  it('is read as the vendor’s package writes it', () => {
    const response = new twilio.twiml.VoiceResponse()
    const stream = response.connect().stream({ url: 'wss://voice.example/media/a?b=1&c="2"', name: 'talk' })
    stream.parameter({ name: 'call', value: '<c & "1">' })
    response.play({ digits: '12w#' })
    response.pause({ length: 2 })
    response.say({ language: 'de-DE' }, 'Grüße & <mehr>')
    response.dial({ callerId: '+12025550000', timeout: 20, action: '/done' }).number(OTHER)
    response.redirect({ method: 'GET' }, '/next?a=1')
    response.hangup()
    expect(parseTwiml(response.toString(), BASE)).toEqual([
      {
        type: 'stream',
        stream: {
          url: 'wss://voice.example/media/a?b=1&c="2"',
          name: 'talk',
          statusCallback: null,
          parameters: { call: '<c & "1">' },
        },
        action: null,
      },
      { type: 'digits', digits: '12w#' },
      { type: 'pause', ms: 2000 },
      { type: 'say', text: 'Grüße & <mehr>', language: 'de-DE', loop: 1 },
      {
        type: 'dial',
        to: OTHER,
        callerId: '+12025550000',
        timeoutMs: 20_000,
        limitMs: 14_400_000,
        action: { url: 'https://voice.example/done', method: 'POST' },
        statusCallback: null,
      },
      { type: 'redirect', hook: { url: 'https://voice.example/next?a=1', method: 'GET' } },
      { type: 'hang_up' },
    ])
  })

  it.each([
    ['no XML', 'Hello', 12100],
    ['an element that is not closed', '<Response><Say>Hello</Response>', 12100],
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><Response/>', 12100],
    ['an unknown entity', '<Response><Say>&b;</Say></Response>', 12100],
    ['something behind the root', '<Response/><Response/>', 12100],
    ['an attribute twice', '<Response><Play digits="1" digits="2"/></Response>', 12100],
    ['nesting without end', '<a>'.repeat(10_000), 12100],
    ['another root', '<Request/>', 12200],
    ['an unknown verb', '<Response><Fly/></Response>', 12200],
    ['an unknown attribute', '<Response><Hangup now="1"/></Response>', 12200],
    ['text between verbs', '<Response>Hello</Response>', 12200],
    ['a digit that is none', '<Response><Play digits="12x"/></Response>', 13320],
    ['no phone number', '<Response><Dial>555</Dial></Response>', 13223],
    ['ws to elsewhere', '<Response><Connect><Stream url="ws://voice.example/m"/></Connect></Response>', 31923],
    [
      'an outbound track',
      '<Response><Connect><Stream url="wss://a.b/c" track="both_tracks"/></Connect></Response>',
      31941,
    ],
    ['an address that is none', '<Response><Redirect>file:///etc/passwd</Redirect></Response>', 11100],
  ])('refuses %s', (_, source, code) => {
    expect(codeOf(source)).toBe(code)
  })

  it('reads any text and attribute back, and never fails but with an error', () => {
    const escaped = (text: string) => text.replaceAll(/[&<>"'\s]/g, (letter) => `&#${letter.codePointAt(0)};`)
    // What XML cannot say in a document at all is left out.
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    fc.assert(
      fc.property(texts, (text) => {
        const element = parseXml(`<a b="${escaped(text)}">${escaped(text)}</a>`)
        expect(element.attributes['b']).toBe(text)
        expect(element.text).toBe(text.trim())
      }),
    )
    const pieces = fc.array(fc.constantFrom('<', '>', '/', 'a', '"', '=', ' ', '&', ';', '<!--', '-->', '<?xml ', '?>'))
    fc.assert(
      fc.property(pieces, (parts) => {
        expect([0, 11100, 12100, 12200]).toContain(codeOf(parts.join('')))
      }),
    )
  })
})

const answers = (party = silent): Pickup => ({ type: 'answers', afterMs: 10, party })

describe('a running program', () => {
  const started = async (pickup: (to: string) => Pickup) => {
    const farEnd = await open.farEnd({ answering: pickup })
    return { farEnd, customer: await open.customer(), client: clientOf(farEnd) }
  }

  it('is fetched with a signed POST, redirected, and falls back where it fails', async () => {
    const callee = recorder()
    const { farEnd, customer, client } = await started(() => answers(() => callee))
    customer.twiml.set('/broken', 500)
    customer.twiml.set('/fallback', '<Response><Play digits="1"/><Redirect method="GET">/next</Redirect></Response>')
    customer.twiml.set('/next', '<Response><Play digits="2"/></Response>')
    const url = `${customer.url}/broken?a=1`
    const fallbackUrl = `${customer.url}/fallback`
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, url, fallbackUrl })
    await expect.poll(() => farEnd.call(sid)?.status).toBe('completed')
    expect(callee.digits.map(({ digit }) => digit)).toEqual(['1', '2'])
    const [broken, fallback, next] = customer.received
    expect(fallback!.form).toMatchObject({ ErrorCode: '11200', ErrorUrl: url, CallSid: sid })
    expect(next).toMatchObject({ method: 'GET' })
    const signed = [broken!, fallback!, next!].map(({ headers, url: asked, form }) =>
      twilio.validateRequest(farEnd.authToken, String(headers['x-twilio-signature']), asked, form),
    )
    expect(signed).toEqual([true, true, true])
  })

  it.each([
    ['12200 for an unknown verb', '<Response><Fly/></Response>', 12200],
    ['12100 for what is no XML', 'Hello', 12100],
    ['11200 for an error of the customer', 500, 11200],
    ['11215 for a document that leads to itself', '<Response><Redirect>/twiml</Redirect></Response>', 11215],
  ])('ends the call with %s', async (_, answer, code) => {
    const { farEnd, customer, client } = await started(() => answers())
    customer.twiml.set('/twiml', answer)
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, url: `${customer.url}/twiml` })
    await expect.poll(() => farEnd.call(sid)?.status).toBe('completed')
    expect(farEnd.warnings).toMatchObject([{ callSid: sid, code }])
  })

  it('leaves a stream for other TwiML, and can return to another one', async () => {
    const callee = recorder()
    const { farEnd, customer, client } = await started(() => answers(() => callee))
    const twiml = connecting(customer)
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => customer.media[0]?.of('media').length).toBeGreaterThan(0)
    const again = twiml.replace('<Response>', '<Response><Play digits="5"/>')
    expect((await client.calls(sid).update({ twiml: again })).status).toBe('in-progress')
    await expect.poll(() => customer.media[1]?.of('media').length).toBeGreaterThan(0)
    const [first, second] = customer.media
    expect(first!.of('stop')).toHaveLength(1)
    await expect.poll(() => first!.closeCode).toBe(1000)
    expect(second!.streamSid).not.toBe(first!.streamSid)
    expect(callee.digits.map(({ digit }) => digit)).toEqual(['5'])
    expect(farEnd.call(sid)!.streams.map(({ state }) => state)).toEqual(['closed', 'open'])
  })

  it('speaks to the callee', async () => {
    const callee = recorder()
    const { farEnd, client } = await started(() => answers(() => callee))
    const twiml = '<Response><Say>One moment.</Say></Response>'
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => farEnd.call(sid)?.status).toBe('completed')
    expect(callee.heard.filter(({ audio }) => levelDbm0(audio) > -30).length).toBeGreaterThan(10)
  })

  it('plays a sound of the customer, as often as it says', async () => {
    const callee = recorder()
    const { farEnd, customer, client } = await started(() => answers(() => callee))
    const sound = sines([440], 100)
    customer.sounds.set('/sound', sound)
    const twiml = `<Response><Play loop="2">${customer.url}/sound</Play></Response>`
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => farEnd.call(sid)?.status).toBe('completed')
    const heard = Buffer.concat(callee.heard.map(({ audio }) => audio))
    expect(heard.equals(Buffer.concat([sound, sound]))).toBe(true)
  })

  it('dials from the account’s numbers alone, and not where it may not', async () => {
    const { farEnd, customer, client } = await started(() => answers())
    const foreign = `<Response><Dial callerId="+13105550100">${OTHER}</Dial></Response>`
    await client.calls.create({ to: TO, from: farEnd.number, twiml: foreign })
    await expect.poll(() => farEnd.warnings.map(({ code }) => code)).toEqual([13214])
    farEnd.account.refusedPrefixes.set(OTHER, 21215)
    const twiml = `<Response><Dial action="${customer.url}/after">${OTHER}</Dial></Response>`
    await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => customer.at('/after')[0]?.form['DialCallStatus']).toBe('failed')
    expect(farEnd.warnings[1]?.code).toBe(13227)
    expect(farEnd.calls.map(({ to }) => to)).toEqual([TO, TO])
  })

  it('connects the callee with another phone, and asks its action what is next', async () => {
    const callee = recorder(tone(500))
    const colleague = recorder(tone(800))
    const { farEnd, customer, client } = await started((to) => answers(() => (to === TO ? callee : colleague)))
    customer.twiml.set('/after', '<Response><Play digits="3"/></Response>')
    const number = `<Number statusCallback="${customer.url}/leg" statusCallbackEvent="ringing answered completed">`
    const dial = `<Dial action="${customer.url}/after" answerOnBridge="true">${number}${OTHER}</Number></Dial>`
    const twiml = `<Response>${dial}</Response>`
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => Math.min(callee.heard.length, colleague.heard.length)).toBeGreaterThan(5)
    const child = farEnd.calls.find(({ to }) => to === OTHER)!
    const { parentCallSid, direction } = await client.calls(child.sid).fetch()
    expect([parentCallSid, direction]).toEqual([sid, 'outbound-dial'])
    child.hangUp()
    await expect.poll(() => farEnd.call(sid)?.status).toBe('completed')
    const { form } = customer.at('/after')[0]!
    expect(form).toMatchObject({ DialCallSid: child.sid, DialCallStatus: 'completed', DialBridged: 'true' })
    expect(form['DialCallDuration']).toMatch(/^[1-9]$/)
    expect(callee.digits.map(({ digit }) => digit)).toEqual(['3'])
    expect(customer.at('/leg').map(({ form: { CallStatus, ParentCallSid } }) => [CallStatus, ParentCallSid])).toEqual([
      ['ringing', sid],
      ['in-progress', sid],
      ['completed', sid],
    ])
  })

  it('tells its action that the other phone was busy, and hangs that phone up with the call', async () => {
    let otherPickup: Pickup = { type: 'busy' }
    const { farEnd, customer, client } = await started((to) => (to === TO ? answers() : otherPickup))
    customer.twiml.set('/after', '<Response><Pause length="60"/></Response>')
    const twiml = `<Response><Dial action="${customer.url}/after">${OTHER}</Dial></Response>`
    await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => customer.at('/after')[0]?.form['DialCallStatus']).toBe('busy')
    otherPickup = { type: 'no_answer' }
    const { sid } = await client.calls.create({ to: TO, from: farEnd.number, twiml })
    await expect.poll(() => farEnd.calls.at(-1)?.status).toBe('ringing')
    await client.calls(sid).update({ status: 'completed' })
    await expect.poll(() => farEnd.calls.at(-1)?.status).toBe('canceled')
  })
})
