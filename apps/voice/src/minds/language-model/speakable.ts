import { createMarkupFilter } from '@parley/voice-ports'
import { ModelFailure } from './failure.ts'
import { RULES } from './rules.ts'
import { TOOL_NAMES } from './tools.ts'

export interface Speakable {
  /** @throws ModelFailure when the model recites its instructions */
  push(delta: string): string
  flush(): string
}

/** Longest structure that is waited for; a longer one is dropped to its last bracket, or to the end. */
const STRUCTURE_LETTERS_MAX = 4000
const PLACEHOLDER = /^\[\[private \d{1,2}\]\]/
const MAYBE_PLACEHOLDER = /^\[(?:\[(?:p(?:r(?:i(?:v(?:a(?:t(?:e(?: (?:\d{1,2}(?:\])?)?)?)?)?)?)?)?)?)?)?$/
/** An object or a list of data: its bracket and what begins data. */
const STRUCTURE = /^(?:\{\s*(?:["'{}]|\w+\s*:)|\[\s*(?:["'[{\]]))/
const MAYBE_STRUCTURE = /^(?:\{\s*\w*\s*|\[\s*)$/
const NAMES = [...TOOL_NAMES]
/** No word of a language has an underscore; "wait" and "transfer" are calls only with arguments behind them. */
const ODD = NAMES.filter((name) => name.includes('_')).join('|')
const ORDINARY = NAMES.filter((name) => !name.includes('_')).join('|')
/** A call written as text: "end_call(...)", "functions.wait({...})". */
const CALL = new RegExp(
  `^(?:functions?\\.)?(?:(?:${ODD})(?:\\s*\\([^)]*\\)|\\s*:?(?=\\s*\\{))?|` +
    `(?:${ORDINARY})(?:\\s*\\((?:\\s*|[^()]*[=:"{][^()]*)\\)|\\s*:?(?=\\s*\\{)))`,
)
const MAYBE_CALL = new RegExp(`^(?:functions?\\.)?(?:${NAMES.join('|')})\\s*:?\\s*(?:\\([^)]{0,300})?$`)
/** Marks of a model's own wire: "<|im_end|>", "[TOOL_CALLS]". */
const TOKEN = /^(?:<[|｜][^|｜<>]{1,40}[|｜]>|\[\/?(?:TOOL_CALLS?|INST|TOOL_RESULTS?)\])/
const MAYBE_TOKEN = /^(?:<[|｜]?|<[|｜][^|｜<>]{1,40}[|｜]?|\[\/?[A-Z_]{0,12})$/
/** "Agent: ..." as a transcript has it. */
const SPEAKER = /^\s*(?:agent|assistant|ai|you)\s*:\s*/i
const MAYBE_SPEAKER = /^\s*[a-z]{0,9}\s*$/i

/** What of a model's text may be spoken: no reasoning, markup, code, data, calls or marks, however the deltas are cut. */
export function createSpeakable(): Speakable {
  const markup = createMarkupFilter()
  const recital = createRecital()
  let pending = ''
  let isFirst = true

  function plain(over: boolean): string {
    let spoken = ''
    while (pending !== '') {
      if (isFirst) {
        if (!over && MAYBE_SPEAKER.test(pending)) break
        pending = pending.replace(SPEAKER, '')
        isFirst = false
        continue
      }
      const taken = take(pending, over)
      if (taken === null) break
      pending = pending.slice(taken.length)
      spoken += taken.text
    }
    return spoken
  }

  function checked(text: string): string {
    recital.push(text)
    return text
  }

  return {
    push(delta) {
      pending += delta
      return checked(markup.push(plain(false)))
    },
    flush: () => checked(markup.push(plain(true)) + markup.flush()),
  }
}

type Taken = { readonly length: number; readonly text: string } | null

function take(rest: string, over: boolean): Taken {
  const [first = ''] = rest
  if (first === '{' || first === '[') return bracket(rest, over)
  if (first === '<') {
    const token = TOKEN.exec(rest)
    if (token) return { length: token[0].length, text: '' }
    return !over && MAYBE_TOKEN.test(rest) ? null : { length: 1, text: first }
  }
  if (!/[\p{L}_]/u.test(first)) return { length: 1, text: first }
  return word(rest, over)
}

function bracket(rest: string, over: boolean): Taken {
  const placeholder = PLACEHOLDER.exec(rest)
  if (placeholder) return { length: placeholder[0].length, text: placeholder[0] }
  if (!over && MAYBE_PLACEHOLDER.test(rest)) return null
  const token = TOKEN.exec(rest)
  if (token) return { length: token[0].length, text: '' }
  if (!over && (MAYBE_TOKEN.test(rest) || MAYBE_STRUCTURE.test(rest))) return null
  if (!STRUCTURE.test(rest)) return { length: 1, text: rest.slice(0, 1) }
  const length = structureLength(rest)
  if (length !== null) return { length, text: '' }
  return over || rest.length > STRUCTURE_LETTERS_MAX ? { length: rest.length, text: '' } : null
}

/** Up to its closing bracket; null: it is not closed yet. */
function structureLength(rest: string): number | null {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at] ?? ''
    if (isQuoted && char === '\\') at++
    else if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if ('{['.includes(char)) depth++
    else if ('}]'.includes(char) && --depth === 0) return at + 1
  }
  return null
}

function word(rest: string, over: boolean): Taken {
  const isPrefix = NAMES.some((name) => name.startsWith(rest) || `functions.${name}`.startsWith(rest))
  if (!over && (isPrefix || MAYBE_CALL.test(rest))) return null
  const call = CALL.exec(rest)
  if (call) return { length: call[0].length, text: '' }
  const [whole = rest.slice(0, 1)] = /^[\p{L}\p{M}\p{N}_]+/u.exec(rest) ?? []
  return { length: whole.length, text: whole }
}

/** So many words in a row that also stand so in the instructions are no coincidence. */
const RECITED_WORDS = 9

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []

function runsOf(words: readonly string[]): Set<string> {
  return new Set(words.slice(RECITED_WORDS - 1).map((_, at) => words.slice(at, at + RECITED_WORDS).join(' ')))
}

const RUNS = runsOf(wordsOf(RULES))

/** Notices that the instructions are read aloud, before the sentence is complete. */
function createRecital() {
  let tail = ''
  return {
    push(text: string): void {
      tail = (tail + text).slice(-600)
      for (const run of runsOf(wordsOf(tail)))
        if (RUNS.has(run)) throw new ModelFailure('unusable', 'The model recites its instructions.')
    },
  }
}
