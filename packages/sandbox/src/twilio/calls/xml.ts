/** A node of a small XML document; text is what stands directly in it, with its ends trimmed. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

interface Open {
  readonly name: string
  readonly attributes: Record<string, string>
  readonly children: Element[]
  text: string
}

const NAME = /[A-Za-z_][\w.-]*/y
const SPACE = /\s*/y
const DECLARATION = /<\?xml\s[^?>]*\?>/y
const COMMENT = /<!--(?:(?!--)[\s\S])*-->/y
const TEXT = /[^<]+/y
const DEPTH_MAX = 8
const ELEMENTS_MAX = 200
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Parses the XML that TwiML is written in: elements, attributes, text, comments and the five entities with character
 * references. No document types, processing instructions or CDATA.
 * @throws Error with the place of what is wrong
 */
export function parseXml(source: string): Element {
  return new Reader(source.replace(/^\uFEFF/, '')).document()
}

class Reader {
  readonly #source: string
  #at = 0
  #elements = 0

  constructor(source: string) {
    this.#source = source
  }

  document(): Element {
    this.#take(DECLARATION)
    this.#skip()
    const root = this.#element(1)
    this.#skip()
    if (this.#at < this.#source.length) throw this.#wrong('Content is not allowed behind the root element')
    return root
  }

  /** White space and comments. */
  #skip(): void {
    do this.#take(SPACE)
    while (this.#take(COMMENT) !== null)
  }

  #element(depth: number): Element {
    if (depth > DEPTH_MAX || ++this.#elements > ELEMENTS_MAX) throw this.#wrong('Too many elements')
    this.#expect('<')
    const open: Open = { name: this.#name(), attributes: this.#attributes(), children: [], text: '' }
    this.#take(SPACE)
    if (this.#next('/>')) return closed(open)
    this.#expect('>')
    while (!this.#next('</')) {
      const text = this.#take(TEXT)
      if (text !== null) open.text += this.#decoded(text)
      else if (this.#take(COMMENT) === null) open.children.push(this.#element(depth + 1))
    }
    if (this.#name() !== open.name) throw this.#wrong(`The element ${open.name} must be ended by </${open.name}>`)
    this.#take(SPACE)
    this.#expect('>')
    return closed(open)
  }

  #attributes(): Record<string, string> {
    const attributes: Record<string, string> = Object.create(null) as Record<string, string>
    while (/\s/.test(this.#source[this.#at] ?? '')) {
      this.#take(SPACE)
      if (/[/>]/.test(this.#source[this.#at] ?? '>')) break
      const name = this.#name()
      if (name in attributes) throw this.#wrong(`The attribute ${name} stands twice`)
      this.#expect('=')
      const quote = this.#next('"') ? '"' : "'"
      if (quote === "'") this.#expect("'")
      const end = this.#source.indexOf(quote, this.#at)
      if (end < 0) throw this.#wrong(`The attribute ${name} is not closed`)
      const value = this.#source.slice(this.#at, end)
      if (value.includes('<')) throw this.#wrong(`The attribute ${name} must not contain <`)
      attributes[name] = this.#decoded(value)
      this.#at = end + 1
    }
    return attributes
  }

  #decoded(text: string): string {
    return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(\w{1,8}));|&/g, (_, decimal, hex, name: string) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(String(hex), 16) : 0
      const letter = code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ENTITIES[name]
      if (letter === undefined) throw this.#wrong('An entity is not known, or & is not written as &amp;')
      return letter
    })
  }

  #name(): string {
    const name = this.#take(NAME)
    if (name === null) throw this.#wrong('A name is missing')
    return name
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found) this.#at += found[0].length
    return found?.[0] ?? null
  }

  #next(text: string): boolean {
    const isNext = this.#source.startsWith(text, this.#at)
    if (isNext) this.#at += text.length
    return isNext
  }

  #expect(text: string): void {
    if (!this.#next(text)) throw this.#wrong(`${text} is missing`)
  }

  #wrong(what: string): Error {
    return new Error(`${what} (at character ${this.#at + 1}).`)
  }
}

const closed = ({ name, attributes, children, text }: Open): Element => ({
  name,
  attributes: { ...attributes },
  children,
  text: text.trim(),
})
