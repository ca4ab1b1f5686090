import type { CarrierHost, CarrierReply, CarrierRequest } from '@parley/voice-ports'
import twilio from 'twilio'
import type { TwilioLeg } from './leg.ts'
import type { Counts, Log } from './options.ts'
import { overTwiml } from './twiml.ts'

export const CALLS_PATH = '/carriers/twilio/calls'
const CALLBACK = /\/carriers\/twilio\/calls\/([\w-]{16,64})\/(status|amd|transfer|party)(?:\/(\d{1,6}))?$/
/** One line in the log for so many refused callbacks. */
const REFUSED_PER_LINE = 100

export interface CallbacksOptions {
  readonly accountSid: string
  /** Signs callbacks; null: the path alone, which nobody can guess, tells Twilio from others. */
  readonly authToken: string | null
  readonly counts: Counts
  readonly log: Log
  readonly legOf: (token: string) => TwilioLeg | undefined
}

const TAKEN: CarrierReply = { status: 204 }
const REFUSED: CarrierReply = { status: 403 }
const UNKNOWN: CarrierReply = { status: 404 }
const twimlReply = (body: string): CarrierReply => ({ status: 200, type: 'text/xml', body })

/** Adds the routes of all calls, once, before the service listens. */
export function mountCallbacks(host: CarrierHost, options: CallbacksOptions): void {
  const take = (request: CarrierRequest) => takeCallback(request, options)
  host.route('POST', `${CALLS_PATH}/:token/status`, take)
  host.route('POST', `${CALLS_PATH}/:token/amd`, take)
  host.route('POST', `${CALLS_PATH}/:token/transfer/:number`, take)
  host.route('POST', `${CALLS_PATH}/:token/party/:number`, take)
}

function takeCallback(request: CarrierRequest, options: CallbacksOptions): CarrierReply {
  const { counts, log, legOf } = options
  const form = request.form()
  if (!isOfTwilio(request, form, options)) {
    if (counts.refusedCallbacks++ % REFUSED_PER_LINE === 0)
      log.warn({ refused: counts.refusedCallbacks }, 'callback with a wrong signature or account refused')
    return REFUSED
  }
  const [, token = '', kind, number = '0'] = CALLBACK.exec(request.rawUrl.split('?', 1)[0] ?? '') ?? []
  const leg = legOf(token)
  if (!leg) {
    counts.unknownCallbacks++
    // Of a process that is gone: an error would be read out to the callee.
    return kind === 'transfer' ? twimlReply(overTwiml()) : UNKNOWN
  }
  switch (kind) {
    case 'status':
      leg.status(form)
      return TAKEN
    case 'amd':
      leg.machine(form)
      return TAKEN
    case 'party':
      leg.partyAnswered(Number(number), form)
      return TAKEN
    case 'transfer':
      return twimlReply(leg.transferEnded(Number(number), form))
    default:
      return UNKNOWN
  }
}

/** X-Twilio-Signature over the URL as Twilio called it and the form (twilio.com/docs/usage/security). */
function isOfTwilio(
  { headers, rawUrl, body }: CarrierRequest,
  form: URLSearchParams,
  { accountSid, authToken }: CallbacksOptions,
): boolean {
  if (form.get('AccountSid') !== accountSid) return false
  if (authToken === null) return true
  const signature = headers['x-twilio-signature']
  if (typeof signature !== 'string') return false
  if (/[?&]bodySHA256=/.test(rawUrl))
    return twilio.validateRequestWithBody(authToken, signature, rawUrl, body.toString())
  return twilio.validateRequest(authToken, signature, rawUrl, paramsOf(form))
}

/** A name that comes twice is signed with both values. */
function paramsOf(form: URLSearchParams): Record<string, string | string[]> {
  return Object.fromEntries(
    [...new Set(form.keys())].map((name) => {
      const values = form.getAll(name)
      return [name, values.length === 1 ? (values[0] ?? '') : values]
    }),
  )
}
