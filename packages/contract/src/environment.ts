import { z } from 'zod'

// Reads the variables of a process, with an error for the operator for each wrong one.

/** A configuration error: the next start would fail alike. The message is for the operator. */
export class ConfigError extends Error {}

/** EX_CONFIG of sysexits.h: starting the process again changes nothing. */
export const CONFIG_EXIT_CODE = 78

const MAY_HOLD_SECRETS = /SECRET|KEY|TOKEN|^(DATABASE|REDIS|SMTP)_URL$/
const SHOWN_MAX = 80

/**
 * An empty variable is the same as none. Throws one sentence for each that is wrong: what it must be, what it is and
 * what to do.
 */
export function readEnvironment<T extends z.ZodRawShape>(
  schema: z.ZodObject<T>,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<T>> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const fields = new Map(Object.entries<z.core.$ZodType>(schema.shape))
  const read = schema.safeParse(given, { error: ({ path }) => mustBe(fields.get(String(path?.[0]))) })
  if (read.success) return read.data
  const sentences = new Map<string, string>()
  for (const { path, message } of read.error.issues) {
    const name = String(path[0])
    if (!sentences.has(name)) sentences.set(name, `${name}: ${message}${whatToDo(name, given[name], fields.get(name))}`)
  }
  throw new ConfigError([...sentences.values()].join('\n'))
}

function whatToDo(name: string, value: string | undefined, field: z.core.$ZodType | undefined): string {
  if (value === undefined) return ', and is missing. Set it.'
  const shown = MAY_HOLD_SECRETS.test(name) ? '' : `, not ${JSON.stringify(value.slice(0, SHOWN_MAX))}`
  const without = defaultOf(field)
  return `${shown}. Correct it${without === undefined ? '' : `, or remove it (default: ${without})`}.`
}

/** The default as in the docs; undefined for a required variable. */
function defaultOf(field: z.core.$ZodType | undefined): string | undefined {
  if (!(field instanceof z.ZodType)) return undefined
  const { success, data } = field.safeParse(undefined)
  if (!success) return undefined
  const { unset } = field.meta() ?? {}
  if (typeof unset === 'string') return unset.replaceAll('`', '')
  if (data === undefined) return 'none'
  return typeof data === 'string' ? data : JSON.stringify(data)
}

/** For a schema without an own error text. */
function mustBe(field: z.core.$ZodType | undefined): string {
  const {
    type,
    format,
    enum: values,
    minimum,
    maximum,
    minLength,
  } = field ? z.toJSONSchema(field, { unrepresentable: 'any' }) : {}
  if (values) return values.length === 1 ? `must be ${String(values[0])}` : `must be one of ${values.join(', ')}`
  if (type === 'integer' || type === 'number')
    return `must be a ${type === 'integer' ? 'whole ' : ''}number${rangeOf(minimum, maximum)}`
  if (format === 'email') return 'must be an email address'
  if (format === 'uri') return 'must be an address such as https://parley.example'
  return minLength === undefined ? 'must be set' : `must have at least ${minLength} characters`
}

function rangeOf(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum === undefined) return ''
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
    ? ` of at least ${minimum}`
    : ` from ${minimum} to ${maximum}`
}
