import { markOf } from './marks.ts'

// Variables in purpose and objectives: {{name}}, filled per row of a batch.

const VARIABLE = /\{\{\s*([^{}]+?)\s*\}\}/g

/** The variables in the texts, each once. */
export function variablesOf(...texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = '']) => name)))]
}

/** Fills `{{name}}` from a row. A variable without a value stays. */
export function fillVariables(text: string, row: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(VARIABLE, (whole, name: string) => valueOf(row, name) ?? whole)
}

/**
 * A row's value for a variable as text; undefined if missing or private. Case and outer spaces of the column are
 * ignored.
 */
export function valueOf(row: Readonly<Record<string, unknown>>, variable: string): string | undefined {
  const wanted = variable.trim().toLowerCase()
  const column = Object.hasOwn(row, variable)
    ? variable
    : Object.keys(row).find((each) => each.trim().toLowerCase() === wanted)
  const given = column === undefined ? undefined : row[column]
  const mark = markOf(given)
  const value = mark ? (mark.isPrivate ? undefined : mark.value) : given
  if (value === undefined || value === null || value === '') return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
