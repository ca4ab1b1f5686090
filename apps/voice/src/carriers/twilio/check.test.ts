import { startTwilioFarEnd, type TwilioFarEnd } from '@parley/sandbox/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkTwilio, type TwilioCheckOptions } from './index.ts'

let far: TwilioFarEnd
beforeAll(async () => {
  far = await startTwilioFarEnd()
})
afterAll(async () => {
  await far.close()
})

const { signal } = new AbortController()
const check = (changes: Partial<TwilioCheckOptions> = {}) =>
  checkTwilio(
    {
      accountSid: far.accountSid,
      authToken: far.authToken,
      apiKey: null,
      fromNumber: far.number,
      apiBase: far.url,
      publicUrl: 'https://voice.example.com',
      ...changes,
    },
    signal,
  )

describe('checkTwilio()', () => {
  it('is content with an active account and a number of its own', async () => {
    expect(await check()).toEqual({ ok: true, detail: expect.stringContaining('calls from its own number.') })
  })

  it('is content with an API key alone, and says what that means', async () => {
    const told = await check({ authToken: null, apiKey: far.apiKey })
    expect(told).toMatchObject({ ok: true, detail: expect.stringContaining('Callbacks are not signed') })
  })

  it.each<[string, Partial<TwilioCheckOptions>, RegExp]>([
    ['the account SID', { accountSid: 'AC123' }, /account SID/],
    ['both keys', { authToken: null }, /neither/],
    ['the key SID', { apiKey: { sid: 'key', secret: 'x' } }, /SID of the Twilio API key/],
    ['the caller number', { fromNumber: '02025550000' }, /caller number is no phone number/],
    ['the public address', { publicUrl: null }, /where to reach/],
    ['https', { publicUrl: 'http://voice.example.com', apiBase: 'https://api.dublin.ie1.twilio.com' }, /not https/],
    ['the auth token', { authToken: 'wrong' }, /refuses the account SID/],
    ['a number of the account', { fromNumber: '+12125550199' }, /no number of the Twilio account/],
    ['a network', { apiBase: 'http://127.0.0.1:1' }, /could not be asked/],
  ])('says in a sentence what is wrong with %s, and how to mend it', async (_, changes, problem) => {
    const told = await check(changes)
    if (told.ok) throw new Error(told.detail)
    expect(told.problem).toMatch(problem)
    for (const text of [told.problem, told.mend]) expect(text).toMatch(/^[A-Z].*\.$/s)
  })

  it('says that an account is suspended, and that one is on trial', async () => {
    far.account.status = 'suspended'
    const told = await check()
    expect(told).toMatchObject({ ok: false, problem: expect.stringContaining('Its status is "suspended".') })
    far.account.status = 'active'
    far.account.type = 'Trial'
    expect(await check()).toMatchObject({ ok: true, detail: expect.stringContaining('trial account') })
    far.account.type = 'Full'
  })

  it('is content with a number of somebody else that was verified', async () => {
    far.account.verify('+12125550177')
    expect(await check({ fromNumber: '+12125550177' })).toMatchObject({
      ok: true,
      detail: expect.stringContaining('a verified number'),
    })
  })

  it('allows http on this machine, for a far end on it', async () => {
    expect(await check({ publicUrl: 'http://127.0.0.1:4000' })).toMatchObject({ ok: true })
  })

  it('ends when the signal says so', async () => {
    far.faults.set('request', { how: 'timeout', made: false })
    const told = await checkTwilio(
      { ...far, fromNumber: far.number, apiKey: null, apiBase: far.url, publicUrl: 'https://voice.example.com' },
      AbortSignal.timeout(50),
    )
    expect(told).toMatchObject({ ok: false, problem: 'Twilio could not be asked.' })
  })
})
