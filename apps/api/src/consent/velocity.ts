import type { Refused } from './numbers.ts'

export interface VelocityLimits {
  readonly liveCallsPerAccount: number
  readonly callsPerHour: number
  readonly creditsPerDay: number
}

/** The account's activity, without the call to be checked. */
export interface Activity {
  readonly liveCalls: number
  readonly callsLastHour: number
  /** Charges of the last 24 hours plus holds of live calls. */
  readonly creditsLastDay: number
}

const PURCHASE_PER_LIVE_CALL = 50
const GROWTH_MAX = 20

/** Limits start low and grow with purchased credits. */
export function limitsOf(start: VelocityLimits, purchasedCredits: number): VelocityLimits {
  const grown = (limit: number, more: number) => Math.min(limit + more, limit * GROWTH_MAX)
  return {
    liveCallsPerAccount: grown(start.liveCallsPerAccount, Math.floor(purchasedCredits / PURCHASE_PER_LIVE_CALL)),
    callsPerHour: grown(start.callsPerHour, purchasedCredits),
    creditsPerDay: grown(start.creditsPerDay, purchasedCredits),
  }
}

/** Checks the account's limits of concurrent calls, calls per hour and credits per day. */
export function judgeVelocity(limits: VelocityLimits, activity: Activity): Refused | { readonly answer: 'yes' } {
  const { liveCalls, callsLastHour, creditsLastDay } = activity
  if (liveCalls >= limits.liveCallsPerAccount) {
    const message = `You have ${count(liveCalls, 'call')} running, as many as an account may have at once. Wait until one has ended.`
    return { answer: 'no', code: 'live_calls_exceeded', message }
  }
  if (callsLastHour >= limits.callsPerHour) {
    const message = `You have placed ${count(callsLastHour, 'call')} in the last hour, as many as an account may. Please try again later.`
    return { answer: 'no', code: 'hourly_calls_exceeded', message }
  }
  if (creditsLastDay >= limits.creditsPerDay) {
    const message = `You have used ${count(creditsLastDay, 'credit')} in the last 24 hours, as many as an account may. Please try again later.`
    return { answer: 'no', code: 'daily_spend_exceeded', message }
  }
  return { answer: 'yes' }
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
