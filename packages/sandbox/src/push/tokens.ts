import { createPublicKey, type KeyObject, verify } from 'node:crypto'

export interface SignedClaims {
  readonly header: Readonly<Record<string, unknown>>
  readonly claims: Readonly<Record<string, unknown>>
}

/** Reads a compact JWT with an ES256 or RS256 signature of this key; undefined for any other. */
export function readSigned(
  token: string,
  algorithm: 'ES256' | 'RS256',
  publicKeyPem: string,
): SignedClaims | undefined {
  const [head = '', body = '', signature = ''] = token.split('.')
  const header = jsonIn(head)
  const claims = jsonIn(body)
  if (!header || !claims || header['alg'] !== algorithm) return undefined
  const key: KeyObject = createPublicKey(publicKeyPem)
  const options = algorithm === 'ES256' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key
  const isRight = verify('sha256', Buffer.from(`${head}.${body}`), options, Buffer.from(signature, 'base64url'))
  return isRight ? { header, claims } : undefined
}

function jsonIn(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
