import Papa from 'papaparse'

/** What a spreadsheet would take for a formula; a number or a phone number is just a number. */
const FORMULA = /^[=@\t\r]|^[+-](?!\d[\d\s().]*$)/

/** A line of a CSV file (RFC 4180); what a spreadsheet would run is made inert. */
export function csvLine(cells: readonly unknown[]): string {
  return `${Papa.unparse([cells.map(textOf)], { escapeFormulae: FORMULA })}\r\n`
}

export function csvFile(fields: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [fields, ...rows].map(csvLine).join('')
}

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  return typeof cell === 'string' ? cell : JSON.stringify(cell)
}
