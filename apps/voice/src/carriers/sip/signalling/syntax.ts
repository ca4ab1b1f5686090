// The grammar below a header field: lists, parameters, URIs, addresses (RFC 3261 section 25). Every reader is linear.

const LIST_MAX = 64
const PARAMS_MAX = 32
const TOKEN = /^[A-Za-z0-9\-.!%*_+`'~]{1,128}$/
/** A host name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:[A-Za-z0-9](?:[A-Za-z0-9\-._]{0,253})|\[[0-9A-Fa-f:.]{2,45}\])$/
const USER = /^[A-Za-z0-9\-_.!~*'()&=+$,;?/%#]{1,256}$/
/** RFC 3966: a global number, or a local one with its context among the parameters. */
const TEL = /^\+?[0-9A-Fa-f*#\-.()]{1,64}$/

export type Params = ReadonlyMap<string, string | null>

export interface SipUri {
  readonly scheme: 'sip' | 'sips' | 'tel'
  readonly user: string | null
  /** Empty with tel. */
  readonly host: string
  readonly port: number | null
  readonly params: Params
}

export interface NameAddr {
  readonly display: string | null
  /** As it stands there: what goes back must not differ from it. */
  readonly uri: string
  readonly params: Params
}

export interface Via {
  readonly transport: string
  readonly host: string
  readonly port: number | null
  readonly params: Params
}

export const isToken = (text: string): boolean => TOKEN.test(text)
export const isHost = (text: string): boolean => HOST.test(text)

/** Splits where `separator` stands outside quotes and angle brackets; null: unbalanced, or too many parts. */
export function splitOutside(text: string, separator: ',' | ';'): string[] | null {
  const parts: string[] = []
  let quoted = false
  let inBrackets = false
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '<') inBrackets = true
    else if (char === '>') inBrackets = false
    else if (char === separator && !inBrackets) {
      if (parts.length >= LIST_MAX) return null
      parts.push(text.slice(start, at).trim())
      start = at + 1
    }
  }
  if (quoted || inBrackets) return null
  parts.push(text.slice(start).trim())
  return parts
}

/** Parameters of a header field or URI, names in lower case, quotes removed; null: malformed. */
export function parseParams(parts: readonly string[]): Params | null {
  if (parts.length > PARAMS_MAX) return null
  const params = new Map<string, string | null>()
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase()
    if (!isToken(name)) return null
    if (!params.has(name)) params.set(name, equals < 0 ? null : unquoted(part.slice(equals + 1).trim()))
  }
  return params
}

function unquoted(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  return text.slice(1, -1).replaceAll(/\\(.)/g, '$1')
}

function parsePort(text: string): number | null {
  if (!/^\d{1,5}$/.test(text)) return null
  const port = Number(text)
  return port > 0 && port <= 65_535 ? port : null
}

/** host, host:port, [v6] or [v6]:port; null: neither. */
function parseHostPort(text: string): { readonly host: string; readonly port: number | null } | null {
  const colon = text.startsWith('[') ? text.indexOf(':', text.indexOf(']')) : text.indexOf(':')
  const host = colon < 0 ? text : text.slice(0, colon)
  if (!isHost(host)) return null
  if (colon < 0) return { host, port: null }
  const port = parsePort(text.slice(colon + 1))
  return port === null ? null : { host, port }
}

/** Null: no URI that a trunk is sent to. Its `?headers` are never taken over. */
export function parseUri(text: string): SipUri | null {
  const match = /^(sips?|tel):/i.exec(text)
  if (!match || text.length > 2048 || /[\s<>"]/.test(text)) return null
  const scheme = match[1]?.toLowerCase() === 'tel' ? 'tel' : match[1]?.toLowerCase() === 'sips' ? 'sips' : 'sip'
  const rest = text.slice(match[0].length).split('?', 1)[0] ?? ''
  if (scheme === 'tel') {
    const [number = '', ...tail] = rest.split(';')
    const params = parseParams(tail)
    return params && TEL.test(number) ? { scheme, user: number, host: '', port: null, params } : null
  }
  // A user part may itself hold semicolons and question marks, but no @.
  const at = rest.lastIndexOf('@')
  const user = at < 0 ? null : (rest.slice(0, at).split(':', 1)[0] ?? '')
  if (user !== null && !USER.test(user)) return null
  const [place = '', ...tail] = rest.slice(at + 1).split(';')
  const where = parseHostPort(place)
  const params = parseParams(tail)
  return where && params ? { scheme, user, ...where, params } : null
}

/** `"Name" <uri>;params`, `<uri>;params` or `uri;params`. Null: malformed. */
export function parseNameAddr(text: string): NameAddr | null {
  const open = openBracket(text)
  if (open < 0) {
    const [uri = '', ...tail] = text.split(';').map((part) => part.trim())
    const params = parseParams(tail)
    return params && parseUri(uri) ? { display: null, uri, params } : null
  }
  const close = text.indexOf('>', open)
  if (close < 0) return null
  const uri = text.slice(open + 1, close)
  const display = unquoted(text.slice(0, open).trim())
  const tail = splitOutside(text.slice(close + 1).trim(), ';')
  if (!tail || (tail[0] ?? '') !== '') return null
  const params = parseParams(tail)
  return params && parseUri(uri) ? { display: display === '' ? null : display, uri, params } : null
}

/** The first `<` outside quotes. */
function openBracket(text: string): number {
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (quoted && char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (char === '<' && !quoted) return at
  }
  return -1
}

/** `SIP/2.0/UDP host:port;branch=…`; null: malformed. */
export function parseVia(text: string): Via | null {
  const [head = '', ...tail] = text.split(';').map((part) => part.trim())
  const match = /^SIP *\/ *2\.0 *\/ *([A-Za-z-]{2,16})[ \t]+(\S{1,300})$/.exec(head)
  const where = parseHostPort(match?.[2] ?? '')
  const params = parseParams(tail)
  return match?.[1] && where && params ? { transport: match[1].toUpperCase(), ...where, params } : null
}

/** An address as it stands in a URI: IPv6 in brackets. */
export const hostText = (address: string): string =>
  address.includes(':') && !address.startsWith('[') ? `[${address}]` : address
