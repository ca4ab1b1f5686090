import type { ContactFields } from './fields.ts'

// vCard 2.1, 3.0 and 4.0, as phones and address books write them: https://www.rfc-editor.org/rfc/rfc6350

interface Property {
  readonly name: string
  readonly params: string
  readonly value: string
}

/** The cards of a file, in order. Only what a contact has is read. */
export function readVcards(text: string): Partial<ContactFields>[] {
  const cards: Partial<ContactFields>[] = []
  let card: Property[] | undefined
  for (const line of unfold(text)) {
    const property = propertyOf(line)
    if (property?.name === 'BEGIN' && property.value.toUpperCase() === 'VCARD') card = []
    else if (property?.name === 'END' && card) {
      cards.push(contactOf(card))
      card = undefined
    } else if (property) card?.push(property)
  }
  return cards
}

/** A long line goes on in the next one, after a space; one in quoted-printable, after an equals sign. */
function unfold(text: string): string[] {
  const lines: string[] = []
  for (const line of text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/)) {
    const last = lines.at(-1)
    if (last !== undefined && /;(ENCODING=)?QUOTED-PRINTABLE/i.test(last) && last.endsWith('=')) {
      lines[lines.length - 1] = last.slice(0, -1) + line
    } else lines.push(line)
  }
  return lines
}

/** `item1.TEL;TYPE=CELL:+1 202 555 0100` is a TEL. */
function propertyOf(line: string): Property | undefined {
  const [, name, params = '', value = ''] = /^(?:[\w-]+\.)?([\w-]+)((?:;(?:"[^"]*"|[^":])*)?):(.*)$/.exec(line) ?? []
  if (name === undefined) return undefined
  const isQuoted = /QUOTED-PRINTABLE/i.test(params)
  return { name: name.toUpperCase(), params: params.toUpperCase(), value: isQuoted ? fromQuotedPrintable(value) : value }
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

/** Parts between separators that are not escaped. */
function split(value: string, separator: ';' | ','): string[] {
  return value.split(new RegExp(String.raw`(?<!\\)${separator}`)).map((part) => unescape(part).trim())
}

function unescape(value: string): string {
  return value.replaceAll(/\\([\\;,nN])/g, (_, sign: string) => (sign.toLowerCase() === 'n' ? '\n' : sign)).trim()
}

/** vCard 3.0, which every address book reads. */
export function writeVcard(contact: ContactFields): string {
  const { name, phone, email, company, title, notes, tags } = contact
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${escape(name)}`,
    `N:${escape(name)};;;;`,
    `TEL:${phone}`,
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
  return value.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`)
}

const LINE_CHARACTERS = 70

function fold(line: string): string {
  const characters = Array.from(line)
  const parts = Array.from({ length: Math.ceil(characters.length / LINE_CHARACTERS) }, (_, part) =>
    characters.slice(part * LINE_CHARACTERS, (part + 1) * LINE_CHARACTERS).join(''),
  )
  return parts.join('\r\n ')
}
