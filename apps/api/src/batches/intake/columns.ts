import { type ColumnMapping, PHONE_COLUMNS } from '@parley/contract'

const PHONE_WORDS =
  /phone|mobile|cell|tel(?!l)|handy|rufnummer|número|numero|num[eé]ro|movil|móvil|whatsapp|callee|contact.?number|^number$|^nr\.?$/i
/** Most reliable first. */
const NAME_WORDS = [
  /^(full.?)?name$/i,
  /^(contact|customer|client|guest|patient|first).?name$/i,
  /^(contact|customer|client|guest|patient|recipient|person|cliente|invitado|paciente|kunde|gast|invité)$/i,
  /(?<!(company|business|brand|file|user|host|domain).?)name|nombre|nom$|contact/i,
]

/** Guesses the columns of number and name: the specification's names, else the best match by name and content. */
export function guessColumns(
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
): ColumnMapping {
  const phone =
    PHONE_COLUMNS.find((each) => columns.includes(each)) ??
    columns.find((each) => PHONE_WORDS.test(each) && holdsNumbers(each, rows)) ??
    columns.find((each) => holdsNumbers(each, rows)) ??
    null
  const others = columns.filter((each) => each !== phone)
  const name =
    NAME_WORDS.map((words) => others.find((each) => words.test(each))).find((each) => each !== undefined) ?? null
  return { phone, name }
}

const LOOKS_LIKE_A_NUMBER = /^(\+|00)[\d\s()./-]{6,20}$/

function holdsNumbers(column: string, rows: readonly Readonly<Record<string, unknown>>[]): boolean {
  const cells = rows.map((row) => textOf(row[column])).filter((cell) => cell !== '')
  return cells.length > 0 && cells.filter((cell) => LOOKS_LIKE_A_NUMBER.test(cell)).length * 2 > cells.length
}

function textOf(cell: unknown): string {
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell).trim() : ''
}
