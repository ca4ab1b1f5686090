import twilio from 'twilio'

/** TwiML that Twilio gets from us. Texts and addresses are escaped by the vendor's own maker. */

/** Twilio's limits of the Dial verb. */
const DIAL_TIMEOUT_MIN_MS = 5000
const DIAL_TIMEOUT_MAX_SECONDS = 600
const TIME_LIMIT_MAX_SECONDS = 14_400

export function streamTwiml(streamUrl: string): string {
  const response = new twilio.twiml.VoiceResponse()
  response.connect().stream({ url: streamUrl })
  return response.toString()
}

/** `digits`: nothing but what areDigits() lets pass. Play knows w, half a second, and no W. */
export function digitsTwiml(digits: string, streamUrl: string): string {
  const response = new twilio.twiml.VoiceResponse()
  response.play({ digits: digits.replaceAll('W', 'ww') })
  response.connect().stream({ url: streamUrl })
  return response.toString()
}

export interface Transfer {
  /** E.164, as isPhoneNumber() lets pass. */
  readonly to: string
  readonly callerId: string
  readonly ringMs: number
  readonly limitMs: number
  /** Called when the dialed party is gone, or never came. */
  readonly actionUrl: string
  /** Called when the dialed party answers. */
  readonly answeredUrl: string
}

export function transferTwiml({ to, callerId, ringMs, limitMs, actionUrl, answeredUrl }: Transfer): string {
  const response = new twilio.twiml.VoiceResponse()
  const dial = response.dial({
    action: actionUrl,
    callerId,
    timeout: seconds(Math.max(ringMs, DIAL_TIMEOUT_MIN_MS), DIAL_TIMEOUT_MAX_SECONDS),
    timeLimit: seconds(limitMs, TIME_LIMIT_MAX_SECONDS),
  })
  dial.number({ statusCallback: answeredUrl, statusCallbackEvent: ['answered'] }, to)
  return response.toString()
}

/** Nothing left to do: Twilio hangs up. */
export const overTwiml = (): string => new twilio.twiml.VoiceResponse().toString()

/** Whole seconds, at least one and at most what Twilio takes. */
export const seconds = (ms: number, max: number): number => Math.min(max, Math.max(1, Math.ceil(ms / 1000)))
