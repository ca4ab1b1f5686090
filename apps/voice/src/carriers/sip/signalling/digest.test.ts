import { describe, expect, it } from 'vitest'
import { Digest } from './digest.ts'
import { Headers, type SipResponse } from './message.ts'

const challenge = (status: 401 | 407, ...values: string[]): SipResponse => {
  const headers = new Headers()
  for (const value of values) headers.add(status === 407 ? 'proxy-authenticate' : 'www-authenticate', value)
  return { type: 'response', status, reason: '', headers, body: '' }
}
const sent = (digest: Digest, method = 'INVITE', uri = 'sip:bob@biloxi.com') => {
  const headers = new Headers()
  digest.authorize(headers, method, uri)
  return headers
}

describe('digest authentication', () => {
  it('answers the example of RFC 2617 section 3.5 with MD5 and a nonce count', () => {
    const digest = new Digest({ username: 'Mufasa', password: 'Circle Of Life' }, () => '0a4f113b')
    const asked =
      'Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"'
    expect(digest.take(challenge(401, asked), new Headers())).toBe('answer')
    const answer = sent(digest, 'GET', '/dir/index.html').get('authorization')!
    expect(answer).toContain('response="6629fae49393a05397450978507c4ef1"')
    expect(answer).toContain('nc=00000001')
    expect(sent(digest).get('authorization')).toContain('nc=00000002')
  })

  it('answers the example of RFC 7616 section 3.9.1 with SHA-256, and prefers it to MD5', () => {
    const digest = new Digest(
      { username: 'Mufasa', password: 'Circle of Life' },
      () => 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
    )
    const rest =
      'realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"'
    digest.take(challenge(407, `Digest ${rest}, algorithm=MD5`, `Digest ${rest}, algorithm=SHA-256`), new Headers())
    const answer = sent(digest, 'GET', '/dir/index.html').get('proxy-authorization')!
    expect(answer).toContain('response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"')
    expect(answer).toContain('algorithm=SHA-256')
  })

  it('answers without qop as RFC 2069 does', () => {
    const digest = new Digest({ username: 'a', password: 'b' })
    digest.take(challenge(401, 'Digest realm="r", nonce="n"'), new Headers())
    const answer = sent(digest).get('authorization')!
    expect(answer).not.toContain('qop')
    expect(answer).not.toContain('cnonce')
  })

  it('gives up when the same nonce comes again, and answers a new one', () => {
    const digest = new Digest({ username: 'a', password: 'b' })
    digest.take(challenge(401, 'Digest realm="r", nonce="n1", qop="auth"'), new Headers())
    const first = sent(digest)
    expect(digest.take(challenge(401, 'Digest realm="r", nonce="n1", qop="auth"'), first)).toBe('wrong credentials')
    expect(digest.take(challenge(401, 'Digest realm="r", nonce="n2", qop="auth", stale=true'), first)).toBe('answer')
    expect(sent(digest).get('authorization')).toContain('nonce="n2"')
    expect(sent(digest).get('authorization')).toContain('nc=00000002')
  })

  it('says why it cannot answer', () => {
    const asked = challenge(401, 'Digest realm="r", nonce="n"')
    expect(new Digest(null).take(asked, new Headers())).toBe('no credentials')
    const digest = new Digest({ username: 'a', password: 'b' })
    expect(digest.take(challenge(401, 'Basic realm="r"'), new Headers())).toBe('unknown scheme')
    expect(digest.take(challenge(401, 'Digest realm="r", nonce="n", algorithm=X'), new Headers())).toBe(
      'unknown scheme',
    )
    expect(digest.take(challenge(401, 'Digest realm="r", nonce="n", qop="auth-int"'), new Headers())).toBe(
      'unknown scheme',
    )
  })

  it('escapes quotes in what it repeats', () => {
    const digest = new Digest({ username: 'a', password: 'b' })
    digest.take(challenge(401, String.raw`Digest realm="r\"x", nonce="n"`), new Headers())
    expect(sent(digest).get('authorization')).toContain(String.raw`realm="r\"x"`)
  })
})
