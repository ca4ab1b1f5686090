import { randomInt } from 'node:crypto'
import { type ErrorCode, Refusal } from './rest/errors.ts'
import { newSid } from './formats.ts'

/** A number that calls may come from: bought (incoming) or verified (outgoing caller id). */
export interface OwnNumber {
  readonly sid: string
  readonly number: string
  readonly friendlyName: string
  readonly since: Date
}

interface Validation {
  readonly code: string
  readonly friendlyName: string
  /** Ends the call that asks for the code. */
  readonly onEntered: (isValid: boolean, callerId: OwnNumber | null) => void
}

interface AccountOptions {
  readonly sid: string
  readonly authToken: string
  readonly numbers: readonly string[]
}

/** Twilio's test credentials refuse these numbers so; here they are refused to everybody. */
const MAGIC_TO: ReadonlyMap<string, ErrorCode> = new Map([
  ['+15005550001', 21217],
  ['+15005550002', 21214],
  ['+15005550003', 21215],
  ['+15005550004', 21216],
])
const GEO_PAGE = 'https://www.twilio.com/console/voice/calls/geo-permissions/low-risk'
const VALIDATIONS_MAX = 100

/** The customer's account. Its fields may be set while calls go on. */
export class Account {
  readonly sid: string
  readonly authToken: string
  readonly friendlyName = 'Far end'
  readonly createdAt = new Date()
  readonly numbers: OwnNumber[]
  readonly callerIds: OwnNumber[] = []
  status: 'active' | 'suspended' | 'closed' = 'active'
  /** Trial accounts call verified numbers alone. */
  type: 'Full' | 'Trial' = 'Full'
  /** USD; without money no call is made. */
  balance = 100
  /** Destinations that are refused, by the beginning of their numbers: 21214, 21215, 21216 or 21217. */
  readonly refusedPrefixes = new Map<string, ErrorCode>()
  readonly #validations = new Map<string, Validation>()

  constructor({ sid, authToken, numbers }: AccountOptions) {
    this.sid = sid
    this.authToken = authToken
    this.numbers = numbers.map((number) => own(number, number))
  }

  /** The SID of a number that calls may come from. */
  sidOf(number: string): string | null {
    return [...this.numbers, ...this.callerIds].find((each) => each.number === number)?.sid ?? null
  }

  /** A call that has ended is paid. */
  charge(price: number): void {
    this.balance -= price
  }

  /** @throws Refusal unless the account may place this call */
  mayCall(from: string, to: string): void {
    if (this.status !== 'active') throw new Refusal(20403, `Account ${this.sid} is ${this.status}`)
    if (this.balance <= 0) throw new Refusal(20005, `Account ${this.sid} is not active`)
    if (this.sidOf(from) === null) throw new Refusal(21210, UNVERIFIED_FROM(from))
    const prefix = [...this.refusedPrefixes.keys()].find((each) => to.startsWith(each))
    const code = MAGIC_TO.get(to) ?? (prefix === undefined ? undefined : this.refusedPrefixes.get(prefix))
    if (code !== undefined) throw new Refusal(code, refusalOf(code, to))
    if (this.type === 'Trial' && !this.callerIds.some(({ number }) => number === to))
      throw new Refusal(
        21219,
        `The number ${to} is unverified. Trial accounts may only make calls to verified numbers.`,
      )
  }

  /** Makes a number a caller id. */
  verify(number: string, friendlyName = number): OwnNumber {
    const callerId = own(number, friendlyName)
    this.callerIds.push(callerId)
    return callerId
  }

  /**
   * Begins the validation of a caller id; returns the code to be entered at that phone. @throws Refusal
   */
  validate(number: string, friendlyName: string, onEntered: Validation['onEntered']): string {
    if (this.sidOf(number) !== null) throw new Refusal(21450, 'Phone number already validated for your account')
    if (this.#validations.size >= VALIDATIONS_MAX) throw new Refusal(20429, 'Too Many Requests')
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    this.#validations.set(number, { code, friendlyName, onEntered })
    return code
  }

  /** The person at that phone enters a code; false: it is not the one. */
  enterCode(number: string, code: string): boolean {
    const validation = this.#validations.get(number)
    if (!validation) return false
    this.#validations.delete(number)
    const isValid = validation.code === code
    validation.onEntered(isValid, isValid ? this.verify(number, validation.friendlyName) : null)
    return isValid
  }
}

const own = (number: string, friendlyName: string): OwnNumber => ({
  sid: newSid('PN'),
  number,
  friendlyName,
  since: new Date(),
})

const UNVERIFIED_FROM = (from: string) =>
  `The source phone number provided, ${from}, is not yet verified for your account. ` +
  "You may only make calls from phone numbers that you've verified or purchased from Twilio."

function refusalOf(code: ErrorCode, to: string): string {
  switch (code) {
    case 21214:
      return `The phone number you are attempting to call, ${to}, cannot be reached.`
    case 21215:
      return `Account not authorized to call ${to}. Perhaps you need to enable some international permissions: ${GEO_PAGE}`
    case 21216:
      return `Account not allowed to call ${to}.`
    default:
      return `The phone number you are attempting to call, ${to}, is not valid.`
  }
}
