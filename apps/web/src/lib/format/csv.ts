/** Escapes cells that a spreadsheet would run as formulas. */
const FORMULA = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/

/** RFC 4180. */
export function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number): string {
  const text = String(value)
  const inert = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
