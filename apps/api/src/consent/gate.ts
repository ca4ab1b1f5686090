import { ATTEMPTS_PER_NUMBER_PER_DAY, isTestNumber } from '@parley/contract'
import type { CallableNumbers, Config } from '../config.ts'
import { purchasedCredits } from '../credits/index.ts'
import type { Reader } from '../platform/db.ts'
import { nextAttemptAt } from './audit.ts'
import { isDialingOn } from './dialing-switch.ts'
import { whoMustNotBeCalled } from './do-not-call.ts'
import { hoursToday, isZone, localTime, muchLater, nextGoodHour, type Whereabouts, zoneNamed } from './hours.ts'
import { type Callable, judgeNumber, type Refused } from './numbers.ts'
import { openingAt } from './openings.ts'
import { placeInZone, whereaboutsOf } from './places.ts'
import { verifiedAmong } from './verified.ts'

/** Dialing configuration of this installation. */
export interface DialRules {
  readonly numbers: CallableNumbers
  readonly callingHours: boolean
  /** Accounts without a purchase may call only numbers verified by the operator. */
  readonly freeCallsVerifiedOnly: boolean
}

export function dialRulesOf({ numbers, callingHours, freeCallsVerifiedOnly }: Config): DialRules {
  return { numbers, callingHours, freeCallsVerifiedOnly }
}

interface DialOrder {
  readonly userId: string
  /** As typed, or E.164. */
  readonly callee: string
  /** The user has confirmed a call outside calling hours. */
  readonly confirmOutsideHours: boolean
  /** The batch, if any: then the daily limit per number applies. */
  readonly batchId?: string | null
  /** The callee's place, if known; see placeInZone. */
  readonly place?: string | null
}

/** Not before `at`; the message gives the reason. */
interface NotBefore {
  readonly answer: 'not_before'
  readonly code: 'outside_calling_hours' | 'attempts_exceeded'
  readonly at: Date
  readonly message: string
}

export type Verdict = Callable | Refused | NotBefore

const REFUSED = {
  do_not_call: 'This number is on your do-not-call list.',
  number_not_verified: 'Free credits call verified numbers only. Purchase credits to call others.',
} as const

/** Which of the numbers (E.164) this account must not call, with the reason. */
export async function whoIsRefused(
  reader: Reader,
  { freeCallsVerifiedOnly, numbers }: DialRules,
  userId: string,
  phones: readonly string[],
): Promise<Map<string, keyof typeof REFUSED>> {
  const unwanted = await whoMustNotBeCalled(reader, userId, phones)
  const refused = new Map<string, keyof typeof REFUSED>([...unwanted].map((phone) => [phone, 'do_not_call']))
  if (!freeCallsVerifiedOnly || (await purchasedCredits(reader, userId)) > 0) return refused
  const verified = await verifiedAmong(reader, userId, phones)
  for (const phone of phones) {
    const isFree = numbers === 'real_and_test' && isTestNumber(phone)
    if (!isFree && !verified.has(phone) && !refused.has(phone)) refused.set(phone, 'number_not_verified')
  }
  return refused
}

/** Whether a number may be dialed now. Asked when a call is placed and again right before dialing. */
export async function mayDial(reader: Reader, rules: DialRules, order: DialOrder, now: Date): Promise<Verdict> {
  const number = judgeNumber(order.callee, rules.numbers)
  if (number.answer === 'no') return number
  const refusal = (await whoIsRefused(reader, rules, order.userId, [number.callee])).get(number.callee)
  if (refusal !== undefined) return { answer: 'no', code: refusal, message: REFUSED[refusal] }
  if (!(await isDialingOn(reader))) {
    return {
      answer: 'no',
      code: 'dialing_off',
      message: 'New calls are paused for the moment. Please try again later.',
    }
  }
  if (order.batchId != null) {
    const at = await nextAttemptAt(reader, order.userId, number.callee, now)
    const message = `This number was called ${ATTEMPTS_PER_NUMBER_PER_DAY} times in the last 24 hours.`
    if (at > now) return { answer: 'not_before', code: 'attempts_exceeded', at, message }
  }
  if (!rules.callingHours || order.confirmOutsideHours) return number
  const where = whereaboutsOf(order.place ?? number.place)
  const at = nextGoodHour(now, where)
  if (at === now) return number
  return {
    answer: 'not_before',
    code: 'outside_calling_hours',
    at: at ?? muchLater(now),
    message: tooEarlyOrLate(now, where),
  }
}

function tooEarlyOrLate(now: Date, where: Whereabouts): string {
  const times = [...new Set(where.zones.map((zone) => localTime(now, zone).text))].sort()
  const there = times.length > 2 ? `between ${times[0]} and ${times.at(-1)}` : times.join(' or ')
  const pad = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  const hours = hoursToday(now, where)
  const rule =
    hours === null ? 'no calls are made there today' : `calls are made from ${pad(hours[0])} to ${pad(hours[1])}`
  return `It is ${there} where this number is; ${rule}. Confirm to call anyway.`
}

function unknownZone(zone: string): string {
  return `"${zone.slice(0, 60)}" is not a time zone. Send its full name, such as America/New_York, or none.`
}

/**
 * Checks the number of a batch row, without the database. A time zone in the row narrows the hours of the number's
 * place; without common hours the row is refused.
 */
export function judgeRow(rules: DialRules, typed: string, zone: string | undefined, now: Date): Callable | Refused {
  const number = judgeNumber(typed, rules.numbers)
  if (number.answer === 'no' || zone === undefined) return number
  if (!isZone(zone)) return { answer: 'no', code: 'timezone_unknown', message: unknownZone(zone) }
  const known = zoneNamed(zone)
  if (known === undefined) return number
  const place = placeInZone(number.place, known)
  if (!rules.callingHours || openingAt(place, now).ever) return { ...number, place }
  return {
    answer: 'no',
    code: 'outside_calling_hours',
    message: 'It is never a good hour both in this time zone and where the number is.',
  }
}
