import type { CallState, HeardTurn, MindEndReason, MindEvent } from '@parley/voice-ports'
import { vaultPlaceholder } from '@parley/contract'
import type { Part } from './exchange.ts'
import { outcomeFrom } from './outcomes.ts'
import { createSpeakable } from './speakable.ts'
import { type Acted, actedOf, ORDERED_TOOLS } from './tools.ts'

/** Words of a reply beyond these are not spoken: the model was asked for far fewer. */
const WORDS_MAX = 120
/** Calls of tools in one reply; more are not acted on. */
const CALLS_MAX = 12
const DIGITS_MAX = 32
const WAIT_MAX_SECONDS = 300
const QUESTION_LETTERS_MAX = 300

/** Words and tools in the order of the reply; a tool without its arguments yet holds back the words behind it. */
type Slot = { readonly id: string; event: MindEvent | null } | MindEvent

/** Makes a mind's events of a model's parts. What ends the call comes last, by end(). */
export class Composer {
  readonly #state: CallState
  readonly #speakable = createSpeakable()
  #waiting: Slot[] = []
  #calls = 0
  #words = 0
  #tail = ''
  #ending: MindEndReason | null = null
  #acts = false

  constructor(state: CallState) {
    this.#state = state
  }

  /** It said something that can be spoken. */
  get speaks(): boolean {
    return this.#words > 0
  }

  /** It answers without words: keys, a wait, an end. */
  get acts(): boolean {
    return this.#acts || this.#ending !== null
  }

  get ending(): MindEndReason | null {
    // A question wants its answer: hanging up behind it is a slip.
    if (this.#ending === 'agent_closed' && /[?？؟]["'”’»)]*\s*$/u.test(this.#tail)) return null
    return this.#ending
  }

  /** The last sentence is complete. */
  get isComplete(): boolean {
    return this.#tail.trim() === '' || /[.!?…。！？؟।]["'”’»)\]」』]*\s*$/u.test(this.#tail)
  }

  take(part: Exclude<Part, { type: 'end' }>): MindEvent[] {
    switch (part.type) {
      case 'text':
        return this.#say(this.#speakable.push(part.text))
      case 'call_begins':
        if (!ORDERED_TOOLS.has(part.tool)) return []
        return [...this.#flush(), ...this.#put({ id: part.id, event: null })]
      case 'call_void':
        return this.#fill(part.id, null)
      case 'call': {
        const acted = actedOf(part.tool, part.input)
        if (!acted || ++this.#calls > CALLS_MAX) return this.#fill(part.id, null)
        const event = this.#eventOf(acted)
        if (ORDERED_TOOLS.has(part.tool)) return this.#fill(part.id, event)
        return event ? [event] : []
      }
    }
  }

  /** The rest of the words. A tool whose arguments never came is left out. */
  end(): MindEvent[] {
    const rest = this.#flush()
    const held = this.#waiting.flatMap((slot) => ('id' in slot ? (slot.event ?? []) : [slot]))
    this.#waiting = []
    return [...rest, ...held]
  }

  #flush(): MindEvent[] {
    return this.#say(this.#speakable.flush())
  }

  #say(text: string): MindEvent[] {
    if (text === '' || this.#words >= WORDS_MAX) return []
    this.#words += text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
    this.#tail = (this.#tail + text).slice(-200)
    return this.#put({ type: 'say', text })
  }

  #put(slot: Slot): MindEvent[] {
    this.#waiting.push(slot)
    return this.#drain()
  }

  #fill(id: string, event: MindEvent | null): MindEvent[] {
    const at = this.#waiting.findIndex((slot) => 'id' in slot && slot.id === id)
    if (at < 0) return event ? this.#put(event) : []
    if (event) this.#waiting[at] = event
    else this.#waiting.splice(at, 1)
    return this.#drain()
  }

  #drain(): MindEvent[] {
    const open = this.#waiting.findIndex((slot) => 'id' in slot)
    const ready = this.#waiting.splice(0, open < 0 ? this.#waiting.length : open)
    return ready.flatMap((slot) => ('id' in slot ? [] : [slot]))
  }

  #eventOf(acted: Acted): MindEvent | null {
    switch (acted.tool) {
      case 'mark_objective': {
        const told = outcomeFrom(acted.input, this.#state)
        return told && { type: 'outcome', ...told }
      }
      case 'end_call':
        this.#ending ??= acted.input.reason
        return acted.input.reason === 'opted_out' ? this.#optOut() : null
      case 'leave_message':
        this.#ending ??= 'voicemail'
        return null
      case 'send_digits':
        return this.#does(this.#press(acted.input.digits))
      case 'wait': {
        const seconds = Math.min(WAIT_MAX_SECONDS, acted.input.seconds)
        return this.#does(seconds > 0 ? { type: 'wait', forMs: Math.round(seconds * 1000) } : null)
      }
      case 'transfer': {
        const to = acted.input.to.trim()
        return this.#does(to === '' ? null : { type: 'transfer', to })
      }
      case 'ask_owner': {
        const question = acted.input.question.trim().slice(0, QUESTION_LETTERS_MAX)
        return this.#does(question === '' ? null : { type: 'ask_owner', question })
      }
      case 'change_language':
        return languageEvent(acted.input.language, this.#state.language)
    }
  }

  #does(event: MindEvent | null): MindEvent | null {
    this.#acts ||= event !== null
    return event
  }

  #optOut(): MindEvent | null {
    const quote = lastWords(this.#state.turns)
    return quote === '' ? null : { type: 'opted_out', quote }
  }

  /** Keys, and placeholders of private values that the order has. */
  #press(given: string): MindEvent | null {
    const digits = given.replace(/[\s,.-]+(?![^[]*\]\])/g, '')
    const known = (this.#state.order.vault ?? []).map((_, index) => vaultPlaceholder(index))
    const keys = known.reduce((rest, placeholder) => rest.replaceAll(placeholder, ''), digits)
    const isFine = /^[0-9*#]*$/.test(keys) && digits !== '' && keys.length <= DIGITS_MAX
    return isFine ? { type: 'press', digits } : null
  }
}

export function lastWords(turns: readonly HeardTurn[]): string {
  return turns.findLast(({ speaker, text }) => speaker === 'user' && text.trim() !== '')?.text.trim() ?? ''
}

/** Null where it is no language, or the one that is spoken. */
export function languageEvent(given: string, present: string): Extract<MindEvent, { type: 'language' }> | null {
  try {
    const [language = ''] = Intl.getCanonicalLocales(given.trim().slice(0, 20))
    return language === '' || language === present || language === present.split('-')[0]
      ? null
      : { type: 'language', language }
  } catch {
    return null
  }
}
