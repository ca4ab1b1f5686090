import { LIST_ROW_MAX_CHARS, rowTooLarge } from './bounds.ts'
import { AppError } from '../errors.ts'

export interface JsonPart {
  /** An element of the array; undefined in the last part. */
  readonly element?: unknown
  /** The document without the elements; only in the last part. */
  readonly rest?: unknown
}

/** Limit of an element and of the text outside the array, so that memory stays bounded. */
const PART_MAX_CHARS = LIST_ROW_MAX_CHARS
/** Depth limit, since code that walks a value recurses as deep. */
const DEPTH_MAX = 64

/**
 * Splits a JSON document as a stream: yields the array's elements, then the rest. The array is the document itself, or
 * the value of `key` in its object. Throws invalid_json or too_large.
 */
export async function* splitJson(text: AsyncIterable<string>, key?: string): AsyncGenerator<JsonPart> {
  const splitter = new Splitter(key)
  for await (const part of text) {
    for (const element of splitter.take(part)) yield { element: parseJson(element) }
  }
  yield { rest: parseJson(splitter.end()) }
}

/** Parses JSON. Throws an AppError for the user. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (MAY_HOLD_TRAPS.test(text)) JSON.parse(text, refuseTraps)
    return value
  } catch (cause) {
    throw cause instanceof AppError ? cause : malformed(cause)
  }
}

/** Keys that enable prototype pollution, also if escaped. */
const MAY_HOLD_TRAPS = /__proto__|constructor|\\u00/

function refuseTraps(key: string, value: unknown): unknown {
  const leadsAstray =
    key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype')
  if (key === '__proto__') throw new AppError('invalid_json', 'A field may not be named "__proto__".')
  if (leadsAstray) throw new AppError('invalid_json', 'The field "constructor" may not hold a "prototype".')
  return value
}

function malformed(cause?: unknown): AppError {
  return new AppError('invalid_json', 'The body is not valid JSON.', { cause })
}

/** Tracks only strings, objects and arrays; JSON.parse validates each piece. */
class Splitter {
  readonly #key: string | undefined
  /** The key with its closing quote, as in the text. */
  readonly #keyed: string
  /** Depth of the elements: 1 in an array, 2 in an array under a key. */
  readonly #depthOfElements: number
  #depth = 0
  #inString = false
  #escaped = false
  #inArray = false
  #done = false
  #element = ''
  #rest = ''
  /** The current or last string at the depth of the keys, cut to the key's length. */
  #string = ''
  #isValueNext = false

  constructor(key: string | undefined) {
    this.#key = key
    this.#keyed = `${key ?? ''}"`
    this.#depthOfElements = key === undefined ? 1 : 2
  }

  *take(text: string): Generator<string> {
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#inString) {
        if (this.#depth === 1 && !this.#inArray && this.#string.length <= this.#keyed.length) this.#string += text[at]
        this.#readInString(code)
        continue
      }
      if (code === QUOTE) {
        this.#inString = true
        this.#string = ''
      } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        if (++this.#depth > DEPTH_MAX) throw new AppError('invalid_json', 'The JSON is nested too deeply.')
        if (this.#begins(code)) {
          this.#addToRest(text.slice(from, at + 1))
          from = at + 1
          this.#inArray = true
        }
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
        this.#depth--
        if (this.#inArray && this.#depth < this.#depthOfElements) {
          yield* this.#cut(text.slice(from, at))
          from = at
          this.#inArray = false
          this.#done = true
        }
      } else if (code === COMMA && this.#inArray && this.#depth === this.#depthOfElements) {
        const element = this.#cut(text.slice(from, at))
        if (element.length === 0) throw malformed()
        yield* element
        from = at + 1
        this.#commaBefore = true
      }
      this.#watchKeys(code)
    }
    this.#keep(text.slice(from))
  }

  #commaBefore = false

  #named = false

  /** A repeated key is ambiguous, so it is refused. */
  #refuseSecond(): void {
    if (this.#key === undefined || this.#string !== this.#keyed) return
    if (this.#named) throw malformed()
    this.#named = true
  }

  #addToRest(text: string): void {
    this.#rest += text
    if (this.#rest.length > PART_MAX_CHARS) throw rowTooLarge('What is said beside the rows')
  }

  end(): string {
    if (this.#depth !== 0 || this.#inString) throw malformed()
    if (this.#key === undefined && !this.#done) throw malformed()
    return this.#rest
  }

  #readInString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === BACKSLASH) this.#escaped = true
    else if (code === QUOTE) this.#inString = false
  }

  /** Whether the elements' array opens here. */
  #begins(code: number): boolean {
    if (this.#done || this.#inArray || code !== OPEN_ARRAY || this.#depth !== this.#depthOfElements) return false
    return this.#key === undefined || (this.#isValueNext && this.#string === this.#keyed)
  }

  /** After a colon comes the value of the last string (key). */
  #watchKeys(code: number): void {
    if (this.#depth !== 1 || this.#inString || code <= SPACE) return
    this.#isValueNext = code === COLON
    if (this.#isValueNext) this.#refuseSecond()
  }

  /** Ends an element; only white space means an empty array. */
  #cut(more: string): string[] {
    const element = this.#element + more
    if (element.length > PART_MAX_CHARS) throw rowTooLarge()
    this.#element = ''
    if (element.trim() !== '') {
      this.#commaBefore = false
      return [element]
    }
    if (this.#commaBefore) throw malformed()
    return []
  }

  #keep(text: string): void {
    if (!this.#inArray) this.#addToRest(text)
    else this.#element += text
    if (this.#element.length > PART_MAX_CHARS) throw rowTooLarge()
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const SPACE = 0x20
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
