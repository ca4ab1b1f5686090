import { pino, type DestinationStream, type Logger } from 'pino'

/** Secrets wherever they stand, and personal data: whatever key ends in Pii. */
const SECRET_KEYS = /^(authorization|cookie|set-cookie|password|newPassword|token|identityToken|authorizationCode|clientSecret|secret)$/i
const DEPTH_MAX = 6

/** Structured logs, one JSON object a line. Personal data goes only under keys that end in `Pii`, and is redacted here. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, base: null, formatters: { log: redact }, serializers: { err: pino.stdSerializers.err } }
  return destination ? pino(options, destination) : pino(options)
}

function redact(fields: Record<string, unknown>): Record<string, unknown> {
  return redactObject(fields, 0)
}

function redactObject(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  const safe: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (key.endsWith('Pii') || SECRET_KEYS.test(key)) safe[key] = '[redacted]'
    else if (isPlainObject(value) && depth < DEPTH_MAX) safe[key] = redactObject(value, depth + 1)
    else safe[key] = value
  }
  return safe
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
