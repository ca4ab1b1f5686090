import type { z } from 'zod'
import { AppError } from '../errors.ts'

// Error texts for invalid parts of a request when the schema has none of its own: the field, and what to send.

const UNREADABLE = 'The request is not valid.'
/** More values than this are listed only in the documentation. */
const VALUES_TOLD_MAX = 12

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'a web address',
  uuid: 'an id',
  datetime: 'a time such as 2026-11-23T09:00:00Z',
  date: 'a date such as 2026-11-23',
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'entry', record: 'entry' }

/** Parses a value. Throws invalid_input with a sentence about the first issue; `at`: path prefix in the request. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown, at = ''): T {
  const result = schema.safeParse(value, { error: sentencesAt(at), reportInput: true })
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = [at, ...(issue?.path ?? [])].filter((part) => part !== '').join('.')
  throw new AppError('invalid_input', issue ? told(issue, field) : UNREADABLE, field === '' ? {} : { field })
}

/** A schema's own message is about empty fields, so a wrong type gets a generated one. */
function told(issue: z.core.$ZodIssue, field: string): string {
  const isGiven = issue.input !== undefined && issue.input !== null
  const isOfWrongType =
    issue.code === 'invalid_type' && isGiven && !(issue.expected === 'int' && typeof issue.input === 'number')
  return isOfWrongType && field !== '' ? `"${field}" ${wrongness(issue)}.` : issue.message
}

/** The error map for zod. */
export function sentencesAt(at = ''): (issue: z.core.$ZodRawIssue) => string {
  return (issue) => {
    const field = [at, ...(issue.path ?? [])].filter((part) => part !== '').join('.')
    if (field === '') return UNREADABLE
    return issue.input === undefined ? `"${field}" is missing.` : `"${field}" ${wrongness(issue)}.`
  }
}

function wrongness(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe([issue.expected])
    case 'invalid_value':
      return mustBeOneOf(issue.values ?? [])
    case 'invalid_union':
      return ofUnion(issue)
    case 'too_small':
      return `must ${sizeOf(issue.origin, 'least', issue.minimum)}`
    case 'too_big':
      return `must ${sizeOf(issue.origin, 'most', issue.maximum)}`
    case 'invalid_format':
      return `must be ${FORMATS[issue.format ?? ''] ?? 'in the form that the documentation shows'}`
    case 'unrecognized_keys':
      return `may not have ${(issue.keys ?? []).map((key) => `"${key}"`).join(', ')}`
    default:
      return 'is not valid'
  }
}

function mustBe(types: readonly (string | undefined)[]): string {
  const kinds = [...new Set(types.map((type) => TYPES[type ?? ''] ?? 'a value of another kind'))]
  return `must be ${kinds.join(' or ')}`
}

function mustBeOneOf(values: readonly unknown[]): string {
  if (values.length > VALUES_TOLD_MAX) return 'must be one of the values that the documentation lists'
  return `must be ${values.length === 1 ? '' : 'one of '}${values.map((value) => JSON.stringify(value)).join(', ')}`
}

interface Union {
  readonly errors?: readonly (readonly z.core.$ZodIssue[])[]
  readonly options?: unknown
}

/** For a union: the types that its members want, if all of them fail by type. */
function ofUnion({ errors = [], options }: Union): string {
  if (Array.isArray(options) && options.length > 0) return mustBeOneOf(options)
  const first = errors.flatMap(([issue]) => issue ?? [])
  const types = first.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.path.length === 0 ? issue.expected : [],
  )
  return types.length > 0 && types.length === first.length ? mustBe(types) : 'is not valid'
}

function sizeOf(origin: string | undefined, bound: 'least' | 'most', size: unknown): string {
  const unit = UNITS[origin ?? '']
  if (unit === undefined) return `be at ${bound} ${String(size)}`
  const units = unit === 'entry' ? 'entries' : `${unit}s`
  return `have at ${bound} ${String(size)} ${size === 1 ? unit : units}`
}
