import { describe, expect, it } from 'vitest'
import { formatNumber, identityOf, uriOf } from './identity.ts'
import { readTrunks } from './index.ts'
import { trunkFile } from './testing/trunk.ts'
import type { Trunk } from './trunks.ts'

function trunk(fields: Readonly<Record<string, unknown>> = {}): Trunk {
  const [one] = trunkFile([{ host: 'sip.example.com', ...fields }]).trunks
  if (!one) throw new Error('no trunk')
  return one
}

describe('trunk file', () => {
  it('reads the smallest file with safe defaults', () => {
    const file = readTrunks('{"trunks":[{"name":"main","host":"sip.example.com"}]}')
    expect(file.listen).toEqual({ address: '0.0.0.0', port: 5060 })
    expect(file.trunks[0]).toMatchObject({ transport: 'udp', srtp: 'off', concurrency: 10, callsPerSecond: 1 })
  })

  it.each([
    ['no JSON', '{"password":"s3cret"', 'The trunk file is not JSON.'],
    ['no trunk', '{"trunks":[]}', 'trunks'],
    ['an unknown field', '{"trunks":[{"name":"a","host":"h","pasword":"s3cret"}]}', 'pasword'],
    ['a host with a line break', '{"trunks":[{"name":"a","host":"h\\r\\nX: y"}]}', 'trunks.0.host must be'],
    ['a password alone', '{"trunks":[{"name":"a","host":"h","password":"s3cret"}]}', 'is needed with a password'],
    ['register without account', '{"trunks":[{"name":"a","host":"h","register":true}]}', 'needs username and password'],
    ['srtp without tls', '{"trunks":[{"name":"a","host":"h","srtp":"sdes"}]}', 'needs transport tls'],
    ['two of a name', '{"trunks":[{"name":"a","host":"h"},{"name":"a","host":"i"}]}', 'names of their own'],
    ['national without its rules', '{"trunks":[{"name":"a","host":"h","numberFormat":"national"}]}', 'is needed with'],
    ['a network that is none', '{"trunks":[{"name":"a","host":"h","sources":["10.0.0.0/99"]}]}', 'an IP address'],
    [
      'privacy with nothing but From',
      '{"trunks":[{"name":"a","host":"h","callerIdentity":"from","privacy":true}]}',
      'needs',
    ],
  ])('refuses %s and says no secret', (_, text, problem) => {
    let message = ''
    try {
      readTrunks(text)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain(problem)
    expect(message).not.toContain('s3cret')
  })
})

describe('numbers and identity', () => {
  const national = { numberFormat: 'national', national: { countryCode: '49', nationalPrefix: '0' } }

  it.each([
    [{}, '+4930123456', '+4930123456'],
    [{ numberFormat: 'e164' }, '+4930123456', '4930123456'],
    [national, '+4930123456', '030123456'],
    [national, '+12025550100', '0012025550100'],
  ])('formats a number by %j', (fields, number, dialed) => {
    expect(formatNumber(number, trunk(fields))).toBe(dialed)
  })

  it.each(['12025550100', '+1202555010x', '+12025550100>', '+12025550100\r\n', '', '+0123456'])(
    'throws for %j, which is no E.164 number',
    (number) => {
      expect(() => uriOf(number, trunk())).toThrow(RangeError)
    },
  )

  it('puts the dial prefix before the number and escapes what a URI cannot hold', () => {
    expect(uriOf('+4930123456', trunk({ dialPrefix: '9#' }))).toBe('sip:9%23+4930123456@sip.example.com')
    expect(uriOf('+4930123456', trunk({ host: '2001:db8::1' }))).toBe('sip:+4930123456@[2001:db8::1]')
  })

  it.each([
    [{}, '<sip:+12025550199@sip.example.com>', [['p-asserted-identity', '<sip:+12025550199@sip.example.com>']]],
    [{ callerIdentity: 'from' }, '<sip:+12025550199@sip.example.com>', []],
    [{ callerIdentity: 'none', username: 'acc', password: 'x' }, '<sip:acc@sip.example.com>', []],
    [
      { privacy: true, domain: 'example.net' },
      '"Anonymous" <sip:anonymous@anonymous.invalid>',
      [
        ['p-asserted-identity', '<sip:+12025550199@example.net>'],
        ['privacy', 'id'],
      ],
    ],
  ])('says who calls by %j', (fields, from, headers) => {
    expect(identityOf('+12025550199', trunk(fields))).toEqual({ from, headers })
  })

  it('takes the number of the trunk where the call names none', () => {
    expect(identityOf(null, trunk({ identity: '+12025550177' })).from).toContain('+12025550177')
    expect(identityOf(null, trunk()).from).toBe('<sip:anonymous@sip.example.com>')
  })
})
