import { z } from 'zod'
import { invalid } from './errors.ts'

export type Params = { [name: string]: string | Params }

const NESTING_MAX = 5
const PAIRS_MAX = 1000

/** `metadata[order]=1&expand[0]=charge` as an object; lists are objects with the keys 0, 1, … */
export function parseForm(text: string): Params {
  const params: Params = {}
  let pairs = 0
  for (const [name, value] of new URLSearchParams(text)) {
    if (++pairs > PAIRS_MAX) throw invalid('There are too many parameters.')
    const [first = '', ...rest] = name.split('[').map((segment) => segment.replace(/\]$/, ''))
    if (rest.length > NESTING_MAX) throw invalid(`Invalid parameter: ${name}`)
    place(params, [first, ...rest], value)
  }
  return params
}

function place(target: Params, [key = '', ...rest]: string[], value: string): void {
  const name = key === '' ? String(Object.keys(target).length) : key
  if (rest.length === 0) {
    define(target, name, value)
    return
  }
  const existing = Object.hasOwn(target, name) ? target[name] : undefined
  const next: Params = typeof existing === 'object' ? existing : {}
  define(target, name, next)
  place(next, rest, value)
}

/** Safe for names such as __proto__, which a plain assignment would treat differently. */
function define(target: Params, name: string, value: string | Params): void {
  Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
}

/** Parses parameters by a shape; reports missing, unknown and wrong ones as Stripe does. */
export function read<T>(shape: z.ZodType<T>, params: Params): T {
  const result = shape.safeParse(params)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const path = (issue?.path ?? []).map(String)
  if (issue?.code === 'unrecognized_keys') {
    const param = nameOf([...path, issue.keys[0] ?? ''])
    throw invalid(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  const param = nameOf(path)
  const isMissing = issue?.code === 'invalid_type' && issue.message.includes('undefined')
  if (isMissing) throw invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  throw invalid(`Invalid ${param}: ${issue?.message ?? 'not valid'}`, { code: 'parameter_invalid', param })
}

function nameOf([first = '', ...rest]: string[]): string {
  return first + rest.map((segment) => `[${segment}]`).join('')
}

// How values travel in a form.

export const whole = z
  .string()
  .regex(/^-?\d+$/, 'must be an integer')
  .transform(Number)
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
export const text = z.string().max(5000)
export const metadata = z.record(z.string(), z.string())
export const listOf = <T>(item: z.ZodType<T>) => z.record(z.string(), item).transform((items) => Object.values(items))
