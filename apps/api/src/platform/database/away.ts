/** SQLSTATE of a server that stops, starts, is full, or has lost the connection (class 08). */
const STATES = /^(57P0[1-5]|53300|08\w{3})$/
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Errors of pg and its pool without a code. */
const SENTENCES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed and is not queryable)/
const CAUSES_MAX = 5

/** Whether the database was unreachable or went away, so that a retry makes sense. */
export function isDatabaseAway(error: unknown, depth = 0): boolean {
  // Errors of fetch concern other servers.
  if (!(error instanceof Error) || error.message === 'fetch failed' || depth > CAUSES_MAX) return false
  const code = String(Reflect.get(error, 'code'))
  if (STATES.test(code) || SYSTEM_CODES.has(code) || SENTENCES.test(error.message)) return true
  const inner: unknown = Reflect.get(error, 'errors')
  return (
    isDatabaseAway(error.cause, depth + 1) ||
    (Array.isArray(inner) && inner.some((each) => isDatabaseAway(each, depth + 1)))
  )
}
