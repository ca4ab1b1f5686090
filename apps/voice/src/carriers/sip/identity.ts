import { isPhoneNumber } from '@parley/voice-ports'
import { hostText } from './signalling/syntax.ts'
import type { Trunk } from './trunks.ts'

type Fields = readonly (readonly [name: string, value: string])[]

export interface Identity {
  /** name-addr of From, without its tag. */
  readonly from: string
  readonly headers: Fields
}

/**
 * An E.164 number as the trunk wants it.
 * @throws RangeError when it is no E.164 number: nothing else may come into a URI
 */
export function formatNumber(e164: string, { numberFormat, national }: Trunk): string {
  if (!isPhoneNumber(e164)) throw new RangeError('A SIP trunk is given E.164 numbers only.')
  const digits = e164.slice(1)
  if (numberFormat === 'e164-plus') return e164
  if (numberFormat === 'e164' || !national) return digits
  const { countryCode, nationalPrefix, internationalPrefix } = national
  const isHome = digits.startsWith(countryCode)
  return isHome ? `${nationalPrefix}${digits.slice(countryCode.length)}` : `${internationalPrefix}${digits}`
}

export const domainOf = (trunk: Trunk): string => hostText(trunk.domain ?? trunk.host)

/** The request URI, which is also To, of a call to a number. */
export const uriOf = (e164: string, trunk: Trunk): string =>
  `sip:${encodedUser(`${trunk.dialPrefix}${formatNumber(e164, trunk)}`)}@${domainOf(trunk)}`

/** Who calls: From, and RFC 3325's identity and privacy where the trunk is told. */
export function identityOf(from: string | null, trunk: Trunk): Identity {
  const number = from ?? trunk.identity ?? null
  const own = encodedUser(trunk.username ?? 'anonymous')
  const user = number === null || trunk.callerIdentity === 'none' ? own : encodedUser(formatNumber(number, trunk))
  const address = `<sip:${user}@${domainOf(trunk)}>`
  const asserted: Fields = trunk.callerIdentity === 'pai' && number !== null ? [['p-asserted-identity', address]] : []
  if (!trunk.privacy) return { from: address, headers: asserted }
  // RFC 3323 section 4.1.1.3.
  return { from: '"Anonymous" <sip:anonymous@anonymous.invalid>', headers: [...asserted, ['privacy', 'id']] }
}

/** A user part in a URI (RFC 3261 section 25.1): `#` and `@` would end it. */
const encodedUser = (user: string): string => encodeURIComponent(user).replaceAll('%2B', '+')
