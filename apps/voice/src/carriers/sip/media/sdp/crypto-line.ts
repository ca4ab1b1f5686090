import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { MASTER_KEY_BYTES, MASTER_SALT_BYTES, type SrtpSuite } from '../rtp/srtp.ts'

/** a=crypto lines of SDES (RFC 4568). */
export interface CryptoLine {
  readonly tag: number
  readonly suite: SrtpSuite
  /** Master key and salt together. */
  readonly key: Buffer
}

const KEY_BYTES = MASTER_KEY_BYTES + MASTER_SALT_BYTES
const LINE = /^(\d{1,9}) (\S{1,40}) inline:([A-Za-z0-9+/]{40}={0,2})((?:\|[^|\s;]{1,20}){0,2})((?: \S{1,40}){0,4})$/
/** A lifetime changes nothing: a call ends long before 2^31 packets. A key identifier (MKI) would change packets. */
const LIFETIME = /^(\|(2\^)?\d{1,15})?$/
/** The only session parameter that may be passed over (RFC 4568, section 6.3.7): a hint for the replay window. */
const IGNORABLE = /^( WSH=\d+)*$/

const isSuite = (name: string): name is SrtpSuite =>
  name === 'AES_CM_128_HMAC_SHA1_80' || name === 'AES_CM_128_HMAC_SHA1_32'

/** Null: a suite or a parameter that we do not have, or no such line. */
export function readCryptoLine(value: string): CryptoLine | null {
  const match = LINE.exec(value)
  if (!match) return null
  const [, tag = '', suite = '', encoded = '', lifetime = '', parameters = ''] = match
  const key = Buffer.from(encoded, 'base64')
  if (!isSuite(suite) || key.length !== KEY_BYTES || !LIFETIME.test(lifetime)) return null
  return IGNORABLE.test(parameters) ? { tag: Number(tag), suite, key } : null
}

export const writeCryptoLine = ({ tag, suite, key }: CryptoLine): string =>
  `${tag} ${suite} inline:${key.toString('base64')}`

export const newCryptoLine = (tag: number, suite: SrtpSuite): CryptoLine => ({
  tag,
  suite,
  key: randomBytes(KEY_BYTES),
})
