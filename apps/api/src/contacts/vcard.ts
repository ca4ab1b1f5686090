import type { ContactFields } from './fields.ts'

// Reads vCard 2.1, 3.0 and 4.0: https://www.rfc-editor.org/rfc/rfc6350

interface Property {
  readonly name: string
  readonly params: string
  readonly value: string
}

/** Limit of an unfolded line; the rest, mostly of a photo, is dropped. */
const LINE_MAX_CHARS = 64 * 1024

/** Streams the cards of a file in order, with only the properties of a contact. */
export async function* readVcards(text: AsyncIterable<string>): AsyncGenerator<Partial<ContactFields>> {
  const lines = new Lines()
  let card: Property[] | undefined
  const take = (line: string) => {
    const property = propertyOf(line)
    if (property?.name === 'BEGIN' && property.value.toUpperCase() === 'VCARD') card = []
    else if (property?.name === 'END' && card) {
      const whole = contactOf(card)
      card = undefined
      return [whole]
    } else if (property && card && READ.has(property.name) && card.length < PROPERTIES_MAX) card.push(property)
    return []
  }
  for await (const part of text) for (const line of lines.take(part)) yield* take(line)
  for (const line of lines.end()) yield* take(line)
}

const READ: ReadonlySet<string> = new Set(['FN', 'N', 'ORG', 'TEL', 'EMAIL', 'TITLE', 'NOTE', 'CATEGORIES'])
/** Bounds the memory of one card. */
const PROPERTIES_MAX = 100

/**
 * Unfolds lines of a text in chunks. A line continues after a leading space, in quoted-printable after an equals sign.
 * A lone carriage return ends no line, else a value could inject a property.
 */
class Lines {
  #physical = ''
  #begun: Unfolded

  constructor() {
    this.#begun = new Unfolded('')
  }

  *take(part: string): Generator<string> {
    const [first = '', ...lines] = part.split('\n')
    if (this.#physical.length <= LINE_MAX_CHARS) this.#physical += first
    for (const line of lines) {
      yield* this.#unfold()
      this.#physical = line
    }
  }

  *end(): Generator<string> {
    yield* this.#unfold()
    yield this.#begun.text()
  }

  *#unfold(): Generator<string> {
    const line = this.#physical.endsWith('\r') ? this.#physical.slice(0, -1) : this.#physical
    if (this.#begun.continues) this.#begun.add(line)
    else if (line.startsWith(' ') || line.startsWith('\t')) this.#begun.add(line.slice(1))
    else {
      yield this.#begun.text()
      this.#begun = new Unfolded(line)
    }
  }
}

/** Parts of a line; joining at each step would be quadratic. */
class Unfolded {
  readonly #parts: string[] = []
  readonly #isQuoted: boolean
  #length = 0
  /** The next physical line continues this one (quoted-printable). */
  continues = false

  constructor(line: string) {
    this.#isQuoted = QUOTED_PRINTABLE.test(line.slice(0, PARAMS_MAX_CHARS))
    this.add(line)
  }

  add(line: string): void {
    this.continues = this.#isQuoted && line.endsWith('=')
    const part = this.continues ? line.slice(0, -1) : line
    if (part === '' || this.#length > LINE_MAX_CHARS) return
    this.#length += part.length
    this.#parts.push(part)
  }

  text(): string {
    return this.#parts.join('').slice(0, LINE_MAX_CHARS)
  }
}

const QUOTED_PRINTABLE = /^[^:]*;(ENCODING=)?QUOTED-PRINTABLE/i
const PARAMS_MAX_CHARS = 1000

/** `item1.TEL;TYPE=CELL:+1 202 555 0100` is a TEL. */
function propertyOf(line: string): Property | undefined {
  const [, name, params = '', value = ''] = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/s.exec(line) ?? []
  if (name === undefined) return undefined
  const isQuoted = /QUOTED-PRINTABLE/i.test(params)
  return {
    name: name.toUpperCase(),
    params: params.toUpperCase(),
    value: isQuoted ? fromQuotedPrintable(value) : value,
  }
}

function fromQuotedPrintable(text: string): string {
  return Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8')
}

function contactOf(card: readonly Property[]): Partial<ContactFields> {
  const valueOf = (name: string) => {
    const all = card.filter((each) => each.name === name && each.value !== '')
    return (all.find(({ params }) => params.includes('PREF')) ?? all[0])?.value
  }
  const [family = '', given = ''] = split(valueOf('N') ?? '', ';')
  const text = (name: string) => unescape(valueOf(name) ?? '')
  return {
    name: text('FN') || `${given} ${family}`.trim() || text('ORG'),
    phone: text('TEL').replace(/^tel:/i, ''),
    email: text('EMAIL'),
    company: split(valueOf('ORG') ?? '', ';')[0] ?? '',
    title: text('TITLE'),
    notes: text('NOTE'),
    tags: split(valueOf('CATEGORIES') ?? '', ',').filter((tag) => tag !== ''),
  }
}

/** Splits at unescaped separators. */
function split(value: string, separator: ';' | ','): string[] {
  return value.split(new RegExp(String.raw`(?<!\\)${separator}`)).map((part) => unescape(part).trim())
}

function unescape(value: string): string {
  return value
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign))
    .trim()
}

/** Writes vCard 3.0, which all address books read. */
export function writeVcard(contact: ContactFields): string {
  const { name, phone, email, company, title, notes, tags } = contact
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escape(name)}`,
    `N:${escape(name)};;;;`,
    `TEL:${escape(phone)}`,
    email && `EMAIL:${escape(email)}`,
    company && `ORG:${escape(company)}`,
    title && `TITLE:${escape(title)}`,
    notes && `NOTE:${escape(notes)}`,
    tags.length > 0 && `CATEGORIES:${tags.map(escape).join(',')}`,
    'END:VCARD',
  ]
  return lines
    .filter((line) => typeof line === 'string' && line !== '')
    .map((line) => `${fold(String(line))}\r\n`)
    .join('')
}

function escape(value: string): string {
  return value.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, String.raw`\n`)
}

const LINE_CHARACTERS = 70

function fold(line: string): string {
  const characters = Array.from(line)
  const parts = Array.from({ length: Math.ceil(characters.length / LINE_CHARACTERS) }, (_, part) =>
    characters.slice(part * LINE_CHARACTERS, (part + 1) * LINE_CHARACTERS).join(''),
  )
  return parts.join('\r\n ')
}
