import { pino, type DestinationStream, type Logger } from 'pino'

const UNWRITTEN_MAX_BYTES = 1_000_000

/**
 * Structured lines. What could name a person stands under keys that end in Pii and is not written out; of an error are
 * written what went wrong and where, not what else it carries along.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { service: 'voice' },
    formatters: { log: withoutPersonalData },
    serializers: { err: (error: unknown) => loggedError(error) },
  }
  return pino(options, destination ?? standardOutput())
}

/** Where nothing can be written, as on a full disk, lines are lost and the process goes on. */
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
