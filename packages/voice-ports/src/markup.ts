/** Removes from streamed text what is written and not spoken. The result does not depend on how the input was cut. */
export interface MarkupFilter {
  push(delta: string): string
  flush(): string
}

/** Longest construct; what is longer is taken as it is. */
const CONSTRUCT_LETTERS_MAX = 300
/** Elements whose content is no speech either: reasoning and tool calls of language models, and program text. */
const HIDDEN =
  /^(?:think(?:ing)?|reasoning|analysis|scratchpad|tool_calls?|function_calls?|function|invoke|script|style)$/
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
}
const EMOJI =
  /^(?:(?![\d#*©®™])\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|[\u{fe0e}\u{fe0f}\u{20e3}\u{e0020}-\u{e007f}])+/u
/** Marks at the beginning of a line: quotation, heading, bullet, rule, row of dashes under a table's head. */
const LINE_MARKS = /^(?:[ \t]*(?:(?:[-*_=|:][ \t]*){3,}(?=\n|$)|>|#{1,6}(?=[ \t])|[-*+•](?=[ \t])))+[ \t]*/
const MAYBE_LINE_MARKS = /^[ \t>#*+•_=|:-]*$/

/** What was taken of the input and what is spoken of it; null to wait for more. */
type Taken = { readonly length: number; readonly text: string } | null

interface State {
  before: string
  lineStart: boolean
  /** In a block of code (```), or in an element whose content is hidden. */
  within: string | null
}

/** Of `**bold**`, lists, headings, code, links, tables, <tags> and emoji only the words are left; code blocks go. */
export function createMarkupFilter(): MarkupFilter {
  const state: State = { before: '', lineStart: true, within: null }
  let pending = ''

  function run(over: boolean): string {
    let spoken = ''
    while (pending !== '') {
      const taken = next(state, pending, over)
      if (taken === null) break
      pending = pending.slice(taken.length)
      if (taken.text === '') continue
      spoken += taken.text
      state.before = taken.text.slice(-1)
      state.lineStart = state.before === '\n'
    }
    return spoken
  }

  return {
    push(delta) {
      pending += delta
      return run(false)
    },
    flush: () => run(true),
  }
}

/** The words of a whole text. */
export function withoutMarkup(text: string): string {
  const filter = createMarkupFilter()
  return (filter.push(text) + filter.flush()).trim()
}

function next(state: State, pending: string, over: boolean): Taken {
  if (state.within !== null) return skipped(state, state.within, pending, over)
  const rest = pending.slice(0, CONSTRUCT_LETTERS_MAX)
  const wait = !over && rest.length < CONSTRUCT_LETTERS_MAX
  if (state.lineStart) {
    if (wait && MAYBE_LINE_MARKS.test(rest)) return null
    state.lineStart = false
    const marks = LINE_MARKS.exec(rest)
    if (marks) return { length: marks[0].length, text: '' }
  }
  if (rest.startsWith('`')) return fence(state, rest, wait)
  if (rest.startsWith('<')) return tag(state, rest, wait, over)
  if (rest.startsWith('[') || rest.startsWith('![') || (rest === '!' && wait)) return link(rest, wait)
  if (rest.startsWith('&')) return entity(rest, wait)
  if (/^[*_~|\\]/.test(rest)) return mark(state.before, rest, wait)
  return plain(rest, wait)
}

/** Within code or a hidden element nothing is spoken until its end. */
function skipped(state: State, until: string, rest: string, over: boolean): Taken {
  const at = rest.toLowerCase().indexOf(until)
  if (at < 0) {
    const kept = over ? 0 : Math.min(rest.length, until.length - 1)
    return rest.length === kept ? null : { length: rest.length - kept, text: '' }
  }
  state.within = null
  return { length: at + until.length, text: state.before === '' ? '' : '\n' }
}

function fence(state: State, rest: string, wait: boolean): Taken {
  const run = /^`+/.exec(rest)?.[0] ?? ''
  if (wait && run.length === rest.length) return null
  if (run.length >= 3) state.within = '```'
  return { length: run.length, text: '' }
}

function tag(state: State, rest: string, wait: boolean, over: boolean): Taken {
  if (wait && /^<(?:\/?[a-z][^<>]*|\/|!-{0,2}(?:[^>]|(?<!--)>)*)?$/i.test(rest)) return null
  const found = /^<(?:(\/?)([a-z][\w:-]*)[^<>]*(\/?)|!--(?:(?!-->)[\s\S])*--)>/i.exec(rest)
  if (!found) {
    const isCutOff = over && /^<\/?[a-z][\w:-]*(?:\s+[\w:-]+=[^<>]*)?$/i.test(rest)
    return isCutOff ? { length: rest.length, text: '' } : { length: 1, text: '<' }
  }
  const [all, closes, name = ''] = found
  if (closes === '' && HIDDEN.test(name.toLowerCase()) && !all.endsWith('/>')) state.within = `</${name.toLowerCase()}>`
  const breaks = /^(?:br|p|li|div|h[1-6]|tr)$/i.test(name) && state.before !== ''
  return { length: all.length, text: breaks ? '\n' : '' }
}

/** The text of a link goes through the filter; its address is not spoken. */
function link(rest: string, wait: boolean): Taken {
  if (wait && /^!?(?:\[[^\]\n]*(?:\](?:\([^)\n]*)?)?)?$/.test(rest)) return null
  const found = /^!?\[([^\]\n]*)\]\([^)\n]*\)/.exec(rest)
  if (found) return { length: found[0].length, text: withoutMarkup(found[1] ?? '') }
  return { length: 1, text: rest.slice(0, 1) }
}

function entity(rest: string, wait: boolean): Taken {
  if (wait && /^&[a-z#0-9]{0,5}$/.test(rest)) return null
  const found = /^&([a-z#0-9]{2,5});/.exec(rest)
  const text = ENTITIES[found?.[1] ?? '']
  return found && text !== undefined ? { length: found[0].length, text } : { length: 1, text: '&' }
}

/** "**bold**" and "_so_" lose their marks; "*67", "2 * 3" and "snake_case" keep theirs. */
function mark(before: string, rest: string, wait: boolean): Taken {
  const [char = ''] = rest
  const run = char === '\\' ? 1 : rest.length - rest.replace(/^(.)\1*/, '').length
  const after = rest.slice(run, run + 1)
  if (wait && after === '') return null
  const taken = (text: string) => ({ length: run, text })
  switch (char) {
    case '*':
      return taken(run === 1 && /^\s?$/.test(before) && /^[\d\s]$/.test(after) ? '*' : '')
    case '_':
      return taken(/[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after) ? '_'.repeat(run) : '')
    case '~':
      return taken(run === 1 ? '~' : '')
    case '|':
      return taken(' ')
    default:
      return taken(/[\p{P}\p{S}]/u.test(after) ? '' : '\\')
  }
}

function plain(rest: string, wait: boolean): Taken {
  if (wait && /^[\ud800-\udbff]$/.test(rest)) return null
  const ordinary = /^[\p{L}\p{N} ,.;:?'"()]+/u.exec(rest)
  if (ordinary) return { length: ordinary[0].length, text: ordinary[0] }
  const emoji = EMOJI.exec(rest)
  if (!emoji) {
    const text = String.fromCodePoint(rest.codePointAt(0) ?? 0)
    return { length: text.length, text }
  }
  if (wait && emoji[0].length === rest.length) return null
  // A joiner is dropped only between emoji: some scripts are written with it.
  return { length: emoji[0].length + (rest[emoji[0].length] === '\u200d' ? 1 : 0), text: '' }
}
