import type { HeardTurn } from '@parley/voice-ports'
import type { Output } from '../line.ts'
import { isBeginning, isMostlyIn, isSame } from '../words.ts'

type Kind =
  /** Sound of the callee. */
  | 'sound'
  /** A turn that was told as text. */
  | 'told'
  /** Speech of the model. */
  | 'speech'
  /** A function call and its output. */
  | 'tool'
  /** What is new for the reply under way. */
  | 'note'

interface Entry {
  /** Of a sound that the vendor has not named yet, one that the vendor does not know. */
  id: string
  isNamed: boolean
  /** To be deleted once it is named. */
  isUnwanted: boolean
  readonly kind: Kind
  readonly replyId: string | null
  /** Of a sound, null until it is final. */
  text: string | null
  soundMs: number
  heardMs: number | null
  turn: number | null
}

export interface LedgerEvents {
  /** Without a previous item it comes last. */
  create(item: object, id: string, previousId: string | null): void
  delete(id: string): void
  truncate(id: string, endMs: number): void
}

const MARGIN_MS = 60

/**
 * The conversation at the vendor, which must be the conversation as heard: what was not heard is cut or deleted there,
 * and what it did not hear itself is told as text.
 */
export class Ledger {
  readonly #events: LedgerEvents
  readonly #output: Output
  #entries: Entry[] = []
  #ids = 0

  constructor(output: Output, events: LedgerEvents) {
    this.#output = output
    this.#events = events
  }

  /** A new session of the vendor knows nothing. */
  reset(): void {
    this.#entries = []
  }

  /** Sound was committed; the vendor will name it. */
  committing(): void {
    this.#add(`unnamed_${++this.#ids}`, 'sound', null, null).isNamed = false
  }

  committed(id: string): void {
    const entry = this.#entries.find(({ isNamed }) => !isNamed)
    if (!entry) return
    entry.id = id
    entry.isNamed = true
    if (entry.isUnwanted) this.#delete(entry)
  }

  commitRefused(): void {
    const refused = this.#entries.find(({ isNamed }) => !isNamed)
    this.#entries = this.#entries.filter((entry) => entry !== refused)
  }

  transcribed(id: string, text: string): void {
    const entry = this.#find(id)
    if (entry) entry.text = text
  }

  said(id: string, replyId: string, kind: 'speech' | 'tool'): void {
    if (!this.#find(id)) this.#add(id, kind, replyId, '')
  }

  saidText(id: string, delta: string): void {
    const entry = this.#find(id)
    if (entry) entry.text = `${entry.text ?? ''}${delta}`
  }

  saidSound(id: string, ms: number): void {
    const entry = this.#find(id)
    if (entry) entry.soundMs += ms
  }

  /** The vendor refuses to cut behind the end of what it made. */
  heard(id: string, heardMs: number): void {
    const entry = this.#find(id)
    if (!entry || entry.heardMs !== null) return
    entry.heardMs = Math.floor(Math.min(heardMs, entry.soundMs))
    if (entry.heardMs <= 0) return this.dropped(id)
    if (entry.heardMs < entry.soundMs - MARGIN_MS) this.#events.truncate(id, entry.heardMs)
  }

  dropped(id: string): void {
    const entry = this.#find(id)
    if (entry) this.#delete(entry)
  }

  note(text: string): void {
    const content = [{ type: 'input_text', text }]
    this.#create('note', { type: 'message', role: 'system', content }, null, null)
  }

  answered(callId: string, replyId: string): void {
    const item = { type: 'function_call_output', call_id: callId, output: '{"ok":true}' }
    this.#create('tool', item, replyId, null)
  }

  /** The vendor's conversation becomes that of the turns. Replies that are not among the used ones are forgotten. */
  sync(turns: readonly HeardTurn[], used: readonly string[]): void {
    for (const entry of this.#entries)
      if (entry.kind === 'note' || (entry.replyId !== null && !used.includes(entry.replyId))) this.#delete(entry)
    const said = turns.filter(({ text }) => text.trim() !== '')
    const texts = new Map(said.map(({ index, text }) => [index, text]))
    for (const entry of this.#entries)
      if (entry.kind === 'told' && entry.turn !== null && texts.get(entry.turn) !== entry.text) this.#delete(entry)
    this.#matchSpeech(said)
    this.#matchSounds(said)
    for (const turn of said) if (!this.#entries.some((entry) => entry.turn === turn.index)) this.#tell(turn)
  }

  /** Speech stays where it was heard as it was made; in a text nothing can be cut, so that the turn is told anew. */
  #matchSpeech(turns: readonly HeardTurn[]): void {
    for (const entry of this.#entries.filter(({ kind }) => kind === 'speech')) {
      if (entry.turn !== null) continue
      const text = entry.text ?? ''
      const turn = this.#free(turns, 'agent').find((each) =>
        this.#output === 'sound' ? isBeginning(each.text, text) : each.heard && isSame(each.text, text),
      )
      if (turn) entry.turn = turn.index
      else if (this.#output === 'text' || entry.heardMs !== null) this.#delete(entry)
    }
  }

  /** Sound without words, or with those that the session took for an echo, is forgotten. */
  #matchSounds(turns: readonly HeardTurn[]): void {
    const callees = turns.filter(({ speaker }) => speaker === 'user')
    for (const entry of this.#entries.filter(({ kind }) => kind === 'sound')) {
      if (entry.turn !== null) continue
      const { text } = entry
      const turn = text === null ? callees.at(-1) : callees.findLast((each) => isMostlyIn(text, each.text))
      if (turn) entry.turn = turn.index
      else if (text !== null) this.#delete(entry)
    }
  }

  #free(turns: readonly HeardTurn[], speaker: HeardTurn['speaker']): HeardTurn[] {
    return turns.filter((turn) => turn.speaker === speaker && !this.#entries.some((each) => each.turn === turn.index))
  }

  #tell({ index, speaker, text, heard }: HeardTurn): void {
    const isAgents = speaker === 'agent'
    const content = [{ type: isAgents ? 'output_text' : 'input_text', text: isAgents && !heard ? `${text} …` : text }]
    const before = this.#entries.findLast((entry) => entry.turn !== null && entry.turn < index)
    const item = { type: 'message', role: isAgents ? 'assistant' : 'user', content }
    const entry = this.#create('told', item, null, before ? (before.isNamed ? before.id : null) : 'root')
    entry.turn = index
    entry.text = text
  }

  #create(kind: Kind, item: object, replyId: string | null, previousId: string | null): Entry {
    const id = `parley_${++this.#ids}`
    const entry = this.#add(id, kind, replyId, null, previousId)
    this.#events.create(item, id, previousId)
    return entry
  }

  #add(id: string, kind: Kind, replyId: string | null, text: string | null, previousId: string | null = null): Entry {
    const own = { isNamed: true, isUnwanted: false, soundMs: 0, heardMs: null, turn: null }
    const entry: Entry = { id, kind, replyId, text, ...own }
    const at = previousId === null ? -1 : this.#entries.findIndex((each) => each.id === previousId)
    if (previousId === 'root') this.#entries.unshift(entry)
    else if (at < 0) this.#entries.push(entry)
    else this.#entries.splice(at + 1, 0, entry)
    return entry
  }

  #delete(entry: Entry): void {
    if (!entry.isNamed) {
      entry.isUnwanted = true
      return
    }
    this.#entries = this.#entries.filter((other) => other !== entry)
    this.#events.delete(entry.id)
  }

  #find(id: string): Entry | undefined {
    return this.#entries.find((entry) => entry.id === id)
  }
}
