/**
 * All that is written of an error's own fields. Whatever else an error carries (a query's params, a row that PostgreSQL
 * shows as detail or where, a vendor's request) may name a person.
 */
const FIELDS =
  'code errno syscall statusCode requestId field severity schema table column constraint dataType routine'.split(' ')
const CAUSES_MAX = 5
/** drizzle ends the message of a failed query with the values that were bound to it. */
const PARAMS = '\nparams:'
/** PostgreSQL quotes the value in the message of a data exception (class 22), JSON.parse the text it failed at. */
const DATA_EXCEPTION = /^22/
const QUOTED = /["'«»„“”]([^]*["'«»„“”]|[^]*$)/
const FRAME = /^ {4}at .*(:\d+:\d+|<anonymous>|native)\)?$/

export function isError(value: unknown): value is Error {
  return value instanceof Error
}

/** The parts of an error that may be logged: what failed and where, without values. Of a thrown non-error, its type. */
export function loggedError(error: unknown, depth = 0): unknown {
  if (!isError(error)) return typeof error
  const message = messageWithoutValues(error)
  const kept = Object.fromEntries(FIELDS.flatMap((field) => fieldOf(error, field)))
  const { cause } = error
  const inner: unknown = Reflect.get(error, 'errors')
  return {
    type: error.name,
    message,
    stack: [`${error.name}: ${message}`, ...framesOf(error)].join('\n'),
    ...kept,
    ...(cause === undefined || depth >= CAUSES_MAX ? {} : { cause: loggedError(cause, depth + 1) }),
    ...(Array.isArray(inner) && depth < CAUSES_MAX
      ? { errors: inner.map((each) => loggedError(each, depth + 1)) }
      : {}),
  }
}

function fieldOf(error: Error, field: string): [string, string | number][] {
  const value: unknown = Reflect.get(error, field)
  return typeof value === 'string' || typeof value === 'number' ? [[field, value]] : []
}

/** The message of an error without values. */
export function messageWithoutValues(error: Error): string {
  const sentence = withoutParams(error.message)
  const quotes = error instanceof SyntaxError || DATA_EXCEPTION.test(String(Reflect.get(error, 'code')))
  return quotes ? sentence.replace(QUOTED, '[redacted]') : sentence
}

export function withoutParams(text: string): string {
  const end = text.indexOf(PARAMS)
  return end === -1 ? text : text.slice(0, end)
}

/** A stack begins with the message of the moment it was made in, and that may have lines of any kind. */
function framesOf({ message, stack = '' }: Error): string[] {
  const at = stack.indexOf(message)
  return stack
    .slice(at === -1 ? 0 : at + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
}
