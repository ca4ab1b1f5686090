import { sqlState } from '../db.ts'

/** What kind of error it was, without its values. */
export function kindOf(error: unknown): string {
  const state = sqlState(error)
  if (state !== undefined) return `sql ${state}`
  if (!(error instanceof Error)) return typeof error
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code.slice(0, 60) : error.name
}
