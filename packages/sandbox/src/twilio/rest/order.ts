import { areDigits, isPhoneNumber } from '@parley/voice-ports'
import type { AmdRequest } from '../calls/amd.ts'
import type { CallOrder } from '../calls/call.ts'
import { Refusal } from './errors.ts'
import { formatted } from '../formats.ts'
import type { Source } from '../calls/program.ts'
import type { Hook } from '../webhooks.ts'

const TWIML_MAX = 4000
const EVENTS = ['initiated', 'ringing', 'answered', 'completed']

/** Reads the parameters of a new call. @throws Refusal */
export function orderOf(form: URLSearchParams): CallOrder & { readonly unknownEvents: readonly string[] } {
  const to = form.get('To') ?? ''
  const from = form.get('From') ?? ''
  if (to === '') throw new Refusal(21201, "No 'To' number is specified")
  if (from === '') throw new Refusal(21213, "Caller phone number is required: no 'From' number is specified")
  if (!isPhoneNumber(to)) throw new Refusal(21211, `The phone number you are attempting to call, ${to}, is not valid.`)
  if (!isPhoneNumber(from)) throw new Refusal(21212, `From is not a valid phone number: ${from}`)
  const source = sourceOf(form)
  if (!source) throw new Refusal(21205, 'Url parameter is required.')
  const sendDigits = form.get('SendDigits') ?? ''
  if (sendDigits !== '' && (!areDigits(sendDigits) || sendDigits.length > 32))
    throw new Refusal(20001, 'SendDigits is not valid.')
  return {
    to,
    from,
    source,
    timeoutMs: 1000 * wholeOf(form, 'Timeout', 60, 1, 600),
    limitMs: 1000 * wholeOf(form, 'TimeLimit', 14_400, 1, 86_400),
    sendDigits,
    statusCallback: statusCallbackOf(form),
    amd: sendDigits === '' ? amdOf(form) : null,
    parent: null,
    parameters: form,
    // Twilio takes these with a warning, and sends nothing for them.
    unknownEvents: form.getAll('StatusCallbackEvent').filter((event) => !EVENTS.includes(event)),
  }
}

/** The number of a new caller id, and its name. @throws Refusal */
export function validationOf(form: URLSearchParams): { readonly number: string; readonly friendlyName: string } {
  const number = form.get('PhoneNumber') ?? ''
  if (!isPhoneNumber(number)) throw new Refusal(21211, `The phone number ${number} is not valid.`)
  const friendlyName = form.get('FriendlyName') ?? formatted(number)
  if (friendlyName.length > 64) throw new Refusal(20001, 'FriendlyName must be at most 64 characters long.')
  wholeOf(form, 'CallDelay', 0, 0, 60)
  return { number, friendlyName }
}

/** TwiML or the address of it; Url wins over Twiml. Null: neither. @throws Refusal */
export function sourceOf(form: URLSearchParams): Source | null {
  const hook = hookOf(form, 'Url', 'Method')
  if (hook) return { hook, fallback: hookOf(form, 'FallbackUrl', 'FallbackMethod') }
  const twiml = form.get('Twiml')
  if (twiml === null || twiml === '') return null
  if (twiml.length > TWIML_MAX) throw new Refusal(20001, `Twiml must be at most ${TWIML_MAX} characters long.`)
  return { twiml }
}

function statusCallbackOf(form: URLSearchParams): CallOrder['statusCallback'] {
  const hook = hookOf(form, 'StatusCallback', 'StatusCallbackMethod')
  const events = form.getAll('StatusCallbackEvent')
  // Twilio takes unknown events with a warning and then sends nothing for them.
  return (
    hook && { hook, events: events.length === 0 ? ['completed'] : events.filter((event) => EVENTS.includes(event)) }
  )
}

function amdOf(form: URLSearchParams): AmdRequest | null {
  const mode = form.get('MachineDetection')
  if (mode !== 'Enable' && mode !== 'DetectMessageEnd') return null
  const isAsync = form.get('AsyncAmd') === 'true'
  return {
    mode,
    timeoutMs: 1000 * wholeOf(form, 'MachineDetectionTimeout', 30, 3, 59),
    isAsync,
    hook: isAsync ? hookOf(form, 'AsyncAmdStatusCallback', 'AsyncAmdStatusCallbackMethod') : null,
  }
}

export function hookOf(form: URLSearchParams, name: string, methodName: string): Hook | null {
  const url = form.get(name)
  if (url === null || url === '') return null
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new Refusal(21205, `${name} is not a valid URL: ${url}`)
  const method = form.get(methodName) ?? 'POST'
  if (method !== 'POST' && method !== 'GET') throw new Refusal(20001, `${methodName} must be GET or POST.`)
  return { url, method }
}

function wholeOf(form: URLSearchParams, name: string, otherwise: number, least: number, most: number): number {
  const text = form.get(name)
  if (text === null || text === '') return otherwise
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new Refusal(20001, `${name} must be a whole number from ${least} to ${most}.`)
  return value
}
