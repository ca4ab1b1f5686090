import { hostname } from 'node:os'
import { pino, type DestinationStream, type Logger } from 'pino'

const UNWRITTEN_MAX_BYTES = 1_000_000

/**
 * Structured log lines. Redacts values under keys that end in Pii; of an error logs only message, code and stack, since
 * its other properties may hold personal data.
 */
export function createLog(
  level: string,
  {
    node = hostname(),
    destination,
  }: { readonly node?: string | undefined; readonly destination?: DestinationStream } = {},
): Logger {
  const options = {
    level,
    base: { service: 'voice', node },
    formatters: { log: withoutPersonalData },
    serializers: { err: (error: unknown) => loggedError(error) },
  }
  return pino(options, destination ?? standardOutput())
}

/** Drops lines that cannot be written (full disk); the process continues. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ dest: 1, sync: true, maxLength: UNWRITTEN_MAX_BYTES })
  output.on('error', () => undefined)
  return output
}

function withoutPersonalData(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, key.endsWith('Pii') ? '[redacted]' : value]),
  )
}

const CAUSES_MAX = 5
const FIELDS = ['code', 'errno', 'syscall', 'statusCode']
/** JSON.parse quotes the text it failed at. */
const QUOTED = /"([^]*"|[^]*$)/
const FRAME = /^ {4}at .*(:\d+:\d+|<anonymous>|native)\)?$/

function loggedError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return typeof error
  const { name, message, stack = '', cause } = error
  const said = error instanceof SyntaxError ? message.replace(QUOTED, '[redacted]') : message
  const frames = stack
    .slice(stack.indexOf(message) + message.length)
    .split('\n')
    .filter((line) => FRAME.test(line))
  const inner = cause === undefined || depth >= CAUSES_MAX ? {} : { cause: loggedError(cause, depth + 1) }
  return { type: name, message: said, stack: [`${name}: ${said}`, ...frames].join('\n'), ...fieldsOf(error), ...inner }
}

function fieldsOf(error: Error): Record<string, unknown> {
  return Object.fromEntries(
    FIELDS.flatMap((field): [string, unknown][] => {
      const value: unknown = Reflect.get(error, field)
      return typeof value === 'string' || typeof value === 'number' ? [[field, value]] : []
    }),
  )
}
