import { hostname } from 'node:os'
import { activeTraceId } from '@parley/traces'
import { type LogFn, pino, type DestinationStream, type Logger } from 'pino'
import { isError, loggedError, messageWithoutValues, withoutParams } from './logged-error.ts'

/** Keys of secrets at any depth, and of personal data: every key that ends in Pii. */
const SECRET_KEYS =
  /^(authorization|cookie|set-cookie|password|newPassword|token|identityToken|authorizationCode|clientSecret|secret)$/i
const DEPTH_MAX = 6
const UNWRITTEN_MAX_BYTES = 1_000_000

/**
 * Structured logs, one JSON object a line. Personal data goes only under keys that end in `Pii`, and is redacted here.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'api', node: hostname() },
    mixin: ofTrace,
    formatters: { log: redact },
    serializers: { err: asIs },
    hooks: { logMethod: withSafeMessage },
  }
  return pino(options, destination ?? standardOutput())
}

function ofTrace(): object {
  const traceId = activeTraceId()
  return traceId === undefined ? {} : { traceId }
}

/** On a full disk lines are lost and the process goes on. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: UNWRITTEN_MAX_BYTES })
  output.on('error', () => undefined)
  return output
}

/** redact() has been there already; pino's own way would look for an error in what is left of one. */
function asIs(value: unknown): unknown {
  return value
}

/** Where no sentence is given, pino takes the error's message as it is; and callers give that message themselves. */
function withSafeMessage(this: Logger, parts: Parameters<LogFn>, method: LogFn): void {
  const [first, ...rest] = parts as [unknown, ...unknown[]]
  const error: unknown = isError(first) ? first : Reflect.get(Object(first), 'err')
  const sentence = rest.length === 0 && isError(error) ? [messageWithoutValues(error)] : rest
  const safe = [first, ...sentence].map((part) => (typeof part === 'string' ? withoutParams(part) : part))
  method.apply(this, safe as Parameters<LogFn>)
}

function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return redactObject(fields, 0)
}

function redactObject(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (key.endsWith('Pii') || SECRET_KEYS.test(key)) safe[key] = '[redacted]'
    else if (isError(value)) safe[key] = loggedError(value)
    else if (isPlainObject(value) && depth < DEPTH_MAX) safe[key] = redactObject(value, depth + 1)
    else safe[key] = value
  }
  return safe
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
