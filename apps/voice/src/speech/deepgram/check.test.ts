import { type DeepgramFarEnd, startDeepgramFarEnd } from '@parley/sandbox/testing'
import { runCheck } from '@parley/contract/checks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkDeepgramEar } from './index.ts'

let far: DeepgramFarEnd
beforeAll(async () => {
  far = await startDeepgramFarEnd()
})
afterAll(() => far.close())

const check = (changes: { apiKey?: string; baseUrl?: string } = {}) =>
  runCheck({
    part: 'ear deepgram',
    ...checkDeepgramEar({ apiKey: far.apiKey, baseUrl: far.url, model: 'nova-3', ...changes }),
  })

describe('the check of the ear of Deepgram', () => {
  it('is content with a key that the vendor takes', async () => {
    expect(await check()).toMatchObject({ ok: true, says: 'Deepgram takes the key; it hears with nova-3.' })
  })

  it.each([
    ['the key', { apiKey: 'wrong' }, /refuses the key/, /DEEPGRAM_API_KEY/],
    ['the path of the address', { baseUrl: 'elsewhere' }, /There is no Deepgram/, /DEEPGRAM_BASE_URL/],
    ['the network', { baseUrl: 'http://127.0.0.1:1' }, /./, /DEEPGRAM_BASE_URL/],
  ])('says what is wrong with %s, and where to mend it', async (_, changes, says, mend) => {
    const { baseUrl } = { baseUrl: far.url, ...changes }
    const told = await check({ ...changes, baseUrl: baseUrl === 'elsewhere' ? `${far.url}/elsewhere` : baseUrl })
    expect(told).toMatchObject({ ok: false, says: expect.stringMatching(says), mend: expect.stringMatching(mend) })
  })
})
