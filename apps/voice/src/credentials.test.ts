import { expect, test } from 'vitest'
import { Credentials } from './credentials.ts'

const bearing = (credential: string) => ({ headers: { authorization: `Bearer ${credential}` } })

test('each secret of a list opens what concerns no call with a token', () => {
  const credentials = new Credentials([
    { id: 2, secret: 'the new one' },
    { id: 1, secret: 'the old one' },
  ])
  credentials.keep('call-1', 'token of one')
  for (const secret of ['the new one', 'the old one']) {
    expect(credentials.isSecret(bearing(secret))).toBe(true)
    expect(credentials.opens(bearing(secret), 'call-2')).toBe(true)
    expect(credentials.opens(bearing(secret), 'call-1')).toBe(false)
  }
  expect(credentials.opens(bearing('token of one'), 'call-1')).toBe(true)
  expect(credentials.isSecret(bearing('neither'))).toBe(false)
  expect(credentials.isSecret({ headers: {} })).toBe(false)
})
