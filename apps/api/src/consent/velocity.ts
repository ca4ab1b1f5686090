import type { Refused } from './numbers.ts'

interface VelocityLimits {
  readonly liveCallsPerAccount: number
  readonly callsPerHour: number
}

/** What an account is doing, without the call that is asked for. */
export interface Activity {
  readonly liveCalls: number
  readonly callsLastHour: number
}

/** How much an account may do at once and in an hour. */
export function judgeVelocity(limits: VelocityLimits, { liveCalls, callsLastHour }: Activity): Refused | { readonly answer: 'yes' } {
  if (liveCalls >= limits.liveCallsPerAccount) {
    const message = `You have ${count(liveCalls, 'call')} running, as many as an account may have at once. Wait until one has ended.`
    return { answer: 'no', code: 'live_calls_exceeded', message }
  }
  if (callsLastHour >= limits.callsPerHour) {
    const message = `You have placed ${count(callsLastHour, 'call')} in the last hour, as many as an account may. Please try again later.`
    return { answer: 'no', code: 'hourly_calls_exceeded', message }
  }
  return { answer: 'yes' }
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}
