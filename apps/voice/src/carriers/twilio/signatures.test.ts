import { silent } from '@parley/sandbox/testing'
import type { CarrierHost } from '@parley/voice-ports'
import twilio from 'twilio'
import { afterAll, describe, expect, it } from 'vitest'
import { Dialed, type Line, startLine } from './testing.ts'

const lines: Line[] = []
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()))
})

async function ringing(carrier: { authToken?: null } = {}) {
  const apiKey = { sid: `SK${'1'.repeat(32)}`, secret: 'secret' }
  const far = { answering: () => ({ type: 'no_answer' }) as const }
  const first = await startLine({ far })
  lines.push(first)
  if (carrier.authToken === undefined) return on(first)
  const { accountSid, apiKey: ownKey, url } = first.far
  const line = await startLine({
    far,
    carrier: { authToken: null, apiKey: ownKey ?? apiKey, accountSid, apiBase: url },
  })
  lines.push(line)
  return on({ ...line, far: first.far })
}

async function on(line: Line) {
  const call = new Dialed(line, '+12125550107')
  await call.until('ringing')
  const [placed] = line.far.calls
  const url = placed?.parameters.get('StatusCallback') ?? ''
  const form = { CallSid: placed?.sid ?? '', AccountSid: line.far.accountSid, CallStatus: 'busy', SequenceNumber: '2' }
  return { line, call, url, form }
}

async function post(url: string, form: Record<string, string>, signature: string | null): Promise<number> {
  const headers = signature === null ? {} : { 'x-twilio-signature': signature }
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers })
  return reply.status
}

describe.concurrent('a callback', () => {
  it('is refused with a forged or missing signature, and counted', async () => {
    const { line, call, url, form } = await ringing()
    const signed = twilio.getExpectedTwilioSignature
    const right = signed(line.far.authToken, url, form)
    expect([
      await post(url, form, null),
      await post(url, form, 'forged'),
      await post(url, { ...form, CallStatus: 'completed' }, right),
      await post(`${url}?a=b`, form, right),
      await post(url, form, signed('another token', url, form)),
    ]).toEqual(Array(5).fill(403))
    expect([line.carrier.counts.refusedCallbacks, call.types]).toEqual([5, ['placed', 'ringing']])
    expect(line.logged.filter(({ message }) => message.includes('signature'))).toHaveLength(1)
    expect(await post(url, form, right)).toBe(204)
    expect(await call.ended()).toMatchObject({ cause: 'busy' })
  })

  it('is checked on the URL as it was called, query included', async () => {
    const { line, call, url, form } = await ringing()
    const asked = `${url}?a=b%20c&d='`
    expect(await post(asked, form, twilio.getExpectedTwilioSignature(line.far.authToken, asked, form))).toBe(204)
    await call.ended()
  })

  it('of JSON is checked by the hash of its body', async () => {
    const { line, url } = await ringing()
    const body = JSON.stringify({ CallStatus: 'busy' })
    const asked = `${url}?bodySHA256=${twilio.getExpectedBodyHash(body)}`
    const signature = twilio.getExpectedTwilioSignature(line.far.authToken, asked, {})
    const headers = { 'content-type': 'application/json', 'x-twilio-signature': signature }
    // Signed, but it names no account.
    expect((await fetch(asked, { method: 'POST', body, headers })).status).toBe(403)
  })

  it('of an unknown call is not taken, however well it is signed', async () => {
    const { line, url, form } = await ringing()
    const other = url.replace(/calls\/[\w-]+/, `calls/${'x'.repeat(32)}`)
    expect(await post(other, form, twilio.getExpectedTwilioSignature(line.far.authToken, other, form))).toBe(404)
    expect(line.carrier.counts.unknownCallbacks).toBe(1)
  })

  it('about another call, or of no known status, changes nothing', async () => {
    const { line, call, url, form } = await ringing()
    for (const change of [{ CallSid: `CA${'0'.repeat(32)}` }, { CallStatus: 'exploded' }, { CallSid: '../CA' }]) {
      const changed = { ...form, ...change }
      expect(await post(url, changed, twilio.getExpectedTwilioSignature(line.far.authToken, url, changed))).toBe(204)
    }
    expect([line.carrier.counts.ignoredCallbacks, call.types]).toEqual([3, ['placed', 'ringing']])
  })

  it('needs only its path where there is an API key and no auth token', async () => {
    const { line, call, url, form } = await ringing({ authToken: null })
    expect(await post(url, { ...form, AccountSid: `AC${'0'.repeat(32)}` }, null)).toBe(403)
    expect(await post(url.replace(/calls\/[\w-]+/, `calls/${'x'.repeat(32)}`), form, null)).toBe(404)
    expect(await post(url, form, null)).toBe(204)
    expect(await call.ended()).toMatchObject({ cause: 'busy' })
    expect(line.carrier.counts).toMatchObject({ refusedCallbacks: 1, unknownCallbacks: 1 })
  })
})

describe.concurrent('a service behind a path', () => {
  it('checks the signature on the public URL and finds the call all the same', async () => {
    const line = await startLine()
    lines.push(line)
    const handlers = new Map<string, Parameters<CarrierHost['route']>[2]>()
    line.carrier.mount?.({
      publicUrl: 'https://voice.example.com/base',
      route: (_, path, handler) => void handlers.set(path, handler),
      socket: () => () => undefined,
    })
    line.far.faults.set('status', { how: 'lost' }, { times: Infinity })
    const call = new Dialed(line, '+12125550107')
    await call.until('placed')
    const rawUrl = call.far.parameters.get('StatusCallback') ?? ''
    const form = { CallSid: call.far.sid, AccountSid: line.far.accountSid, CallStatus: 'busy' }
    const told = await handlers.get('/carriers/twilio/calls/:token/status')?.({
      rawUrl,
      headers: { 'x-twilio-signature': twilio.getExpectedTwilioSignature(line.far.authToken, rawUrl, form) },
      body: Buffer.alloc(0),
      form: () => new URLSearchParams(form),
    })
    expect(told).toEqual({ status: 204 })
    expect(await call.ended()).toMatchObject({ cause: 'busy' })
  })

  it('ends the call politely when the process that transferred it is gone', async () => {
    const { line, url, form } = await ringing()
    const gone = url.replace(/calls\/[\w-]+\/status/, `calls/${'x'.repeat(32)}/transfer/1`)
    const headers = { 'x-twilio-signature': twilio.getExpectedTwilioSignature(line.far.authToken, gone, form) }
    const reply = await fetch(gone, { method: 'POST', body: new URLSearchParams(form), headers })
    expect([reply.status, await reply.text()]).toEqual([200, '<?xml version="1.0" encoding="UTF-8"?><Response/>'])
  })
})

describe.concurrent('a stream', () => {
  it('opens once: its address is used up', async () => {
    const line = await startLine({
      far: { answering: () => ({ type: 'answers', afterMs: 20, party: () => silent() }) },
    })
    lines.push(line)
    const call = new Dialed(line, '+12125550107')
    await call.until('media')
    const again = new WebSocket(call.far.streams[0]?.url ?? '')
    await new Promise((resolve) => again.addEventListener('error', resolve))
    expect(call.types).not.toContain('hung_up')
  })
})
