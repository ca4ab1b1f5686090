import { CALLING_HOURS } from '@parley/contract'
import type { Reader } from '../platform/db.ts'
import { isDialingOn } from './dialing-switch.ts'
import { isDoNotCall } from './do-not-call.ts'
import { localTime, nextGoodHour } from './hours.ts'
import { type Callable, judgeNumber, type Refused } from './numbers.ts'

/** How this installation dials. */
interface DialRules {
  readonly carrier: string
  readonly callingHours: boolean
}

interface DialOrder {
  readonly userId: string
  /** As typed, or E.164. */
  readonly callee: string
  /** The person knows how late it is where the callee is. */
  readonly confirmOutsideHours: boolean
}

/** Not before `at`, when it is a good hour wherever the callee may be; until then the message says what time it is there. */
interface NotBefore {
  readonly answer: 'not_before'
  readonly at: Date
  readonly message: string
}

type Verdict = Callable | Refused | NotBefore

/** May this order be dialed now? Asked when a call is placed and again at the moment of dialing. */
export async function mayDial(reader: Reader, rules: DialRules, order: DialOrder, now: Date): Promise<Verdict> {
  const number = judgeNumber(order.callee, { simulated: rules.carrier === 'simulated' })
  if (number.answer === 'no') return number
  if (await isDoNotCall(reader, order.userId, number.callee)) {
    return { answer: 'no', code: 'do_not_call', message: 'This number is on your do-not-call list.' }
  }
  if (!(await isDialingOn(reader))) {
    return { answer: 'no', code: 'dialing_off', message: 'New calls are paused for the moment. Please try again later.' }
  }
  if (!rules.callingHours || order.confirmOutsideHours) return number
  const at = nextGoodHour(now, number.zones)
  return at === now ? number : { answer: 'not_before', at, message: tooEarlyOrLate(now, number.zones) }
}

function tooEarlyOrLate(now: Date, zones: readonly string[]): string {
  const times = [...new Set(zones.map((zone) => localTime(now, zone).text))].sort()
  const there = times.length > 2 ? `between ${times[0]} and ${times.at(-1)}` : times.join(' or ')
  const pad = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  const { fromHour, untilHour } = CALLING_HOURS
  return `It is ${there} where this number is; calls are made from ${pad(fromHour)} to ${pad(untilHour)}. Confirm to call anyway.`
}
