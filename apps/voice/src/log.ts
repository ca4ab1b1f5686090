import { pino, type Logger } from 'pino'

/** Structured lines. What could name a person stands under keys that end in Pii and is not written out. */
export function createLog(level: string): Logger {
  return pino({ level, base: { service: 'voice' }, formatters: { log: withoutPersonalData } })
}

export function withoutPersonalData(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, key.endsWith('Pii') ? '[redacted]' : value]))
}
