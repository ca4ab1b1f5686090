import { isPhoneNumber } from '@parley/voice-ports'
import { type Element, parseXml } from './xml.ts'
import type { Hook } from '../webhooks.ts'

export interface StreamTarget {
  readonly url: string
  readonly name: string
  readonly statusCallback: Hook | null
  readonly parameters: Readonly<Record<string, string>>
}

/** What a call is told to do, one after the other. */
export type Verb =
  | { readonly type: 'stream'; readonly stream: StreamTarget; readonly action: Hook | null }
  | { readonly type: 'digits'; readonly digits: string }
  | { readonly type: 'play'; readonly url: string; readonly loop: number }
  | { readonly type: 'say'; readonly text: string; readonly language: string; readonly loop: number }
  | { readonly type: 'pause'; readonly ms: number }
  | { readonly type: 'hang_up' }
  | { readonly type: 'redirect'; readonly hook: Hook }
  | {
      readonly type: 'dial'
      readonly to: string
      readonly callerId: string | null
      readonly timeoutMs: number
      readonly limitMs: number
      readonly action: Hook | null
      readonly statusCallback: { readonly hook: Hook; readonly events: readonly string[] } | null
    }

/** A document that Twilio does not run. 12100: no XML; 12200: not TwiML; others: an attribute's own code. */
export class TwimlFault extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const DIGITS = /^[0-9A-D*#wW]+$/
const HOUR_MS = 3_600_000
const LOOPS_MAX = 1000

/**
 * The verbs of a document. `base` completes relative URLs: where the document came from, null for a document without
 * an address.
 * @throws TwimlFault
 */
export function parseTwiml(source: string, base: string | null): Verb[] {
  let root: Element
  try {
    root = parseXml(source)
  } catch (error) {
    throw new TwimlFault(12100, `Document parse failure: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (root.name !== 'Response') throw schema(`The root element must be Response, not ${root.name}.`)
  if (root.text !== '') throw schema('Response must not contain text.')
  return root.children.map((element) => verbOf(element, base))
}

const schema = (message: string) => new TwimlFault(12200, `Schema validation warning: ${message}`)

function verbOf(element: Element, base: string | null): Verb {
  switch (element.name) {
    case 'Connect':
      return connect(element, base)
    case 'Play':
      return play(element, base)
    case 'Say': {
      allow(element, ['voice', 'language', 'loop'])
      const { language = 'en-US' } = element.attributes
      return { type: 'say', text: element.text, language, loop: loopsOf(element) }
    }
    case 'Pause':
      allow(element, ['length'])
      return { type: 'pause', ms: 1000 * wholeOf(element, 'length', 1, 0, 600) }
    case 'Hangup':
    case 'Reject':
      allow(element, element.name === 'Reject' ? ['reason'] : [])
      return { type: 'hang_up' }
    case 'Redirect':
      allow(element, ['method'])
      return { type: 'redirect', hook: hookOf(element, element.text, 'method', base) }
    case 'Dial':
      return dial(element, base)
    default:
      throw schema(`The element ${element.name} is not known here.`)
  }
}

function connect(element: Element, base: string | null): Verb {
  allow(element, ['action', 'method'])
  const [stream, ...others] = element.children
  if (stream?.name !== 'Stream' || others.length > 0) throw schema('Connect takes one Stream here.')
  allow(stream, ['url', 'name', 'track', 'statusCallback', 'statusCallbackMethod'])
  const { url = '', name = '', track = 'inbound_track', statusCallback } = stream.attributes
  if (track !== 'inbound_track') throw new TwimlFault(31941, 'Stream - Invalid track configuration')
  const target = URL.canParse(url) ? new URL(url) : null
  const isLoopback = target?.hostname === '127.0.0.1' || target?.hostname === 'localhost'
  if (!target || !(target.protocol === 'wss:' || (target.protocol === 'ws:' && isLoopback)))
    throw new TwimlFault(31923, 'Stream - WebSocket - Malformed URL')
  const hook = statusCallback ? hookOf(stream, statusCallback, 'statusCallbackMethod', base) : null
  return {
    type: 'stream',
    stream: { url, name, statusCallback: hook, parameters: parametersOf(stream) },
    action: actionOf(element, base),
  }
}

function parametersOf(stream: Element): Record<string, string> {
  const entries = stream.children.map((parameter): [string, string] => {
    if (parameter.name !== 'Parameter') throw schema(`Stream takes no ${parameter.name}.`)
    allow(parameter, ['name', 'value'])
    const { name = '', value = '' } = parameter.attributes
    // Twilio takes at most 500 characters for both together.
    if (name === '' || name.length + value.length > 500) throw schema('A Parameter has no name or is too long.')
    return [name, value]
  })
  return Object.fromEntries(entries)
}

function play(element: Element, base: string | null): Verb {
  allow(element, ['digits', 'loop'])
  const { digits } = element.attributes
  if (digits === undefined) return { type: 'play', url: absolute(element.text, base), loop: loopsOf(element) }
  if (!DIGITS.test(digits)) throw new TwimlFault(13320, 'Play: Invalid digits')
  return { type: 'digits', digits }
}

function dial(element: Element, base: string | null): Verb {
  allow(element, ['callerId', 'timeout', 'action', 'method', 'timeLimit', 'answerOnBridge', 'hangupOnStar'])
  const [number, ...others] = element.children
  if (others.length > 0 || (number && number.name !== 'Number')) throw schema('Dial takes one Number here.')
  if (number) allow(number, ['statusCallback', 'statusCallbackEvent', 'statusCallbackMethod', 'sendDigits'])
  const to = number?.text ?? element.text
  if (!isPhoneNumber(to)) throw new TwimlFault(13223, 'Dial: Invalid phone number format')
  const { callerId = null } = element.attributes
  const url = number?.attributes['statusCallback']
  const events = (number?.attributes['statusCallbackEvent'] ?? 'completed').split(' ')
  return {
    type: 'dial',
    to,
    callerId,
    timeoutMs: 1000 * wholeOf(element, 'timeout', 30, 1, 600),
    limitMs: 1000 * wholeOf(element, 'timeLimit', 14_400, 1, (24 * HOUR_MS) / 1000),
    action: actionOf(element, base),
    statusCallback: number && url ? { hook: hookOf(number, url, 'statusCallbackMethod', base), events } : null,
  }
}

function allow(element: Element, names: readonly string[]): void {
  const unknown = Object.keys(element.attributes).find((name) => !names.includes(name))
  if (unknown !== undefined) throw schema(`${element.name} has no attribute ${unknown}.`)
  const mayNest = ['Connect', 'Stream', 'Dial'].includes(element.name)
  if (!mayNest && element.children.length > 0) throw schema(`${element.name} takes no elements.`)
}

function actionOf(element: Element, base: string | null): Hook | null {
  const { action } = element.attributes
  return action === undefined ? null : hookOf(element, action, 'method', base)
}

function hookOf(element: Element, url: string, methodName: string, base: string | null): Hook {
  const method = element.attributes[methodName] ?? 'POST'
  if (method !== 'POST' && method !== 'GET') throw schema(`${element.name}: ${methodName} must be GET or POST.`)
  return { url: absolute(url, base), method }
}

function absolute(url: string, base: string | null): string {
  const whole = url !== '' && URL.canParse(url, base ?? undefined) ? new URL(url, base ?? undefined) : null
  if (whole?.protocol !== 'http:' && whole?.protocol !== 'https:') throw new TwimlFault(11100, 'Invalid URL format')
  // As it was written, where that is whole: a signature covers the exact characters.
  return URL.canParse(url) ? url : whole.href
}

const loopsOf = (element: Element) => wholeOf(element, 'loop', 1, 0, LOOPS_MAX) || LOOPS_MAX

function wholeOf(element: Element, name: string, otherwise: number, least: number, most: number): number {
  const text = element.attributes[name]
  if (text === undefined) return otherwise
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) throw schema(`${element.name}: ${name} is not valid.`)
  return value
}
