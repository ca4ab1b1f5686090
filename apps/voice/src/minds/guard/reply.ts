import { type CallOrder, isMet, vaultMask } from '@parley/contract'
import {
  detectLanguage,
  type OrderReading,
  privateValuesOf,
  safeSentence,
  type SafeSentence,
  Secrets,
  spokenOr,
  type VaultKeeper,
  withoutPlaceholders,
} from '@parley/offline-mind'
import {
  type Asked,
  type Chunker,
  createChunker,
  createMarkupFilter,
  MIND_END_REASONS,
  type MindEvent,
  type Piece,
} from '@parley/voice-ports'
import type { Logger } from 'pino'
import { Commitments } from './commitments.ts'
import { sceneOf, told } from './evidence.ts'
import { mayPress } from './keys.ts'
import { claimsPerson, isUnspeakable, nodsTo } from './manners.ts'
import { SoundGate } from './sound-gate.ts'
import { Telephones } from './telephones.ts'

export interface ReplyParts {
  readonly mind: string
  readonly reading: OrderReading
  readonly vault: VaultKeeper
  readonly log: Pick<Logger, 'warn' | 'error'>
  readonly transferTargets?: (order: CallOrder) => readonly string[]
  readonly hidden?: readonly string[]
  /** What the user has said to the agent in this call. */
  readonly steering: readonly string[]
}

/** Why a sentence is not spoken; the words of it are in no log. */
type Finding = 'code' | 'private' | 'telephone' | 'person' | 'agrees' | 'claims' | 'fault'
type Verdict = 'speak' | 'hold' | Finding

const INSTEAD: Readonly<Record<Finding, SafeSentence>> = {
  code: 'notUnderstood',
  private: 'private',
  telephone: 'decline',
  person: 'who',
  agrees: 'cannotAgree',
  claims: 'confirm',
  fault: 'notUnderstood',
}
/** What makes a reply one: without any of these nobody would be answered. */
const ANSWERS: readonly MindEvent['type'][] = [
  'say',
  'sound',
  'press',
  'phase',
  'transfer',
  'wait',
  'ask_owner',
  'hang_up',
]
/** Of the agent's earlier words, to find a value that is told bit by bit. */
const EARLIER_LETTERS = 400

/** One reply of a mind on its way to the mouth: sentence by sentence, and nothing that may not be said or done. */
export class GuardedReply {
  readonly #asked: Asked
  readonly #parts: ReplyParts
  readonly #secrets: Secrets
  readonly #commitments: Commitments
  readonly #telephones: Telephones
  readonly #markup = createMarkupFilter()
  readonly #chunker: Chunker = createChunker({ firstClause: true })
  readonly #gate: SoundGate
  readonly #earlier: string
  #language: string
  /** Let out so far. */
  #said = ''
  #held: Piece | null = null
  #isStopped = false
  #isOver = false
  #isAnswered = false
  #hasDropped = false

  constructor(asked: Asked, parts: ReplyParts) {
    const { order, turns, outcomes } = asked
    this.#asked = asked
    this.#parts = parts
    this.#language = asked.language
    this.#secrets = new Secrets([...privateValuesOf(order), ...(order.vault ?? []).map(({ value }) => value)])
    this.#commitments = new Commitments(parts.reading, turns, order.objectives.length, outcomes.some(isMet))
    const targets = parts.transferTargets?.(order) ?? []
    this.#telephones = new Telephones({ order, turns, steering: parts.steering, targets })
    this.#gate = new SoundGate((text, isOpen) => this.#judge(text, isOpen) === 'speak' && this.#letOut(text))
    this.#earlier = turns
      .filter(({ speaker }) => speaker === 'agent')
      .map(({ text }) => text)
      .join(' ')
      .slice(-EARLIER_LETTERS)
  }

  /** Sound items of which something was held back for good. */
  get droppedItems(): readonly string[] {
    return this.#gate.dropped
  }

  *take(event: MindEvent): Generator<MindEvent> {
    for (const each of this.#guarded(event)) {
      if (ANSWERS.includes(each.type)) this.#isAnswered = true
      yield each
    }
  }

  /** The mind pauses: a sentence that looks complete is one. */
  *settled(): Generator<MindEvent> {
    if (!this.#isOver) yield* this.#marked(this.#speakAll(this.#chunker.settled(), true))
  }

  *end(): Generator<MindEvent> {
    if (!this.#isOver) yield* this.#marked(this.#flush())
    // What was dropped must not leave a silence behind.
    if (!this.#isAnswered && this.#hasDropped) yield this.#safe('notUnderstood')
  }

  /** The callee wants no more calls: one sentence confirms it, whatever the mind would say. */
  *optOut(quote: string): Generator<MindEvent> {
    yield { type: 'opted_out', quote: quote.trim() }
    const present = spokenOr(this.#language, 'en')
    // Which of the other languages the callee speaks cannot be told here: the call keeps its own.
    const isKnown = this.#language.toLowerCase().startsWith(present)
    const language = isKnown ? detectLanguage(quote, present) : this.#language
    if (!this.#language.toLowerCase().startsWith(language.toLowerCase())) yield { type: 'language', language }
    this.#language = language
    yield this.#safe('optedOut')
    yield { type: 'hang_up', reason: 'opted_out' }
  }

  *#marked(events: Iterable<MindEvent>): Generator<MindEvent> {
    for (const event of events) {
      if (ANSWERS.includes(event.type)) this.#isAnswered = true
      yield event
    }
  }

  *#guarded(event: MindEvent): Generator<MindEvent> {
    if (this.#isOver) {
      if (event.type === 'usage') yield event
      return
    }
    switch (event.type) {
      case 'say':
        yield* this.#say(event.text, event.isWhole === true)
        return
      case 'sound':
        yield* this.#flushWords()
        yield* this.#sound(event)
        return
      case 'press':
      case 'transfer':
        yield* this.#flush()
        if (!this.#isStopped && this.#mayDo(event)) yield event
        else yield* this.#refused(event)
        return
      case 'hang_up':
        yield* this.#flush()
        this.#isOver = true
        yield { type: 'hang_up', reason: MIND_END_REASONS.find((reason) => reason === event.reason) ?? 'agent_closed' }
        return
      case 'language':
        yield* this.#speakAll(this.#chunker.settled(), true)
        this.#language = event.language
        yield event
        return
      default:
        yield* this.#speakAll(this.#chunker.settled(), true)
        yield* this.#told(event)
    }
  }

  *#told(event: MindEvent): Generator<MindEvent> {
    switch (event.type) {
      case 'outcome': {
        const judged = this.#outcome(event)
        if (judged) yield judged
        else this.#hasDropped = true
        return
      }
      case 'opted_out':
        if (this.#isQuoted(event.quote)) yield event
        else this.#hasDropped = true
        return
      case 'wait':
        if (Number.isFinite(event.forMs) && event.forMs > 0) yield event
        return
      case 'ask_owner':
        if (event.question.trim() !== '') yield event
        return
      default:
        yield event
    }
  }

  #outcome(event: Extract<MindEvent, { type: 'outcome' }>): MindEvent | null {
    const { reading, log } = this.#parts
    try {
      const outcome = told(event.outcome, event.index, sceneOf(this.#asked, reading, false), this.#asked.outcomes)
      return outcome && { ...event, outcome }
    } catch (error) {
      log.error({ err: error }, 'an outcome could not be checked, and is not told')
      return null
    }
  }

  #isQuoted(quote: string): boolean {
    return quote !== '' && this.#asked.turns.some(({ speaker, text }) => speaker === 'user' && text.includes(quote))
  }

  #mayDo(event: Extract<MindEvent, { type: 'press' | 'transfer' }>): boolean {
    const { order } = this.#asked
    const { vault, transferTargets = () => [] } = this.#parts
    if (event.type === 'transfer') return transferTargets(order).includes(event.to.replace(/[^\d+]/g, ''))
    const places = vault.placesIn(event.digits)
    if (places === null) return false
    if (places.length === 0) return mayPress(event.digits, this.#asked)
    const isAlone = /^[*#]?$/.test(withoutPlaceholders(event.digits).trim())
    return isAlone && places.length === 1 && places.every((place) => vault.mayTell(place, 'keys', this.#asked))
  }

  *#refused(event: Extract<MindEvent, { type: 'press' | 'transfer' }>): Generator<MindEvent> {
    this.#hasDropped = true
    this.#parts.log.warn({ mind: this.#parts.mind, event: event.type }, 'the guard dropped an action')
    if (event.type === 'transfer' && !this.#isStopped) yield this.#safe('decline')
  }

  // Words

  *#say(delta: string, isWhole: boolean): Generator<MindEvent> {
    if (this.#isStopped) return
    const pieces = this.#chunker.push(this.#markup.push(delta) + (isWhole ? this.#markup.flush() : ''))
    yield* this.#speakAll(isWhole ? [...pieces, ...this.#chunker.end()] : pieces, true)
    // Markup alone is nothing to be said.
    if (delta.trim() !== '') this.#hasDropped = true
  }

  *#flush(): Generator<MindEvent> {
    yield* this.#flushWords()
    yield* this.#afterSound(this.#gate.end())
  }

  *#flushWords(): Generator<MindEvent> {
    yield* this.#speakAll([...this.#chunker.push(this.#markup.flush()), ...this.#chunker.flush()], false)
    if (this.#held && !this.#isStopped) yield* this.#speak({ ...this.#held }, false, true)
  }

  *#speakAll(pieces: readonly Piece[], isOpen: boolean): Generator<MindEvent> {
    for (const [at, piece] of pieces.entries()) {
      if (this.#isStopped) return
      yield* this.#speak(piece, isOpen || at < pieces.length - 1)
    }
  }

  *#speak(piece: Piece, isOpen: boolean, isHeld = false): Generator<MindEvent> {
    const before = isHeld ? null : this.#held
    const text = before ? `${before.text}${piece.gap}${piece.text}` : piece.text
    const gap = before ? before.gap : piece.gap
    const verdict = this.#judge(text, isOpen)
    this.#held = verdict === 'hold' ? { ...piece, text, gap } : null
    if (verdict === 'hold') return
    if (verdict === 'speak') {
      this.#letOut(text)
      yield { type: 'say', text: `${gap}${text}`, isWhole: true }
    } else yield* this.#replaced(verdict)
  }

  #letOut(text: string): boolean {
    this.#said = `${this.#said} ${text}`.trim()
    return true
  }

  *#replaced(finding: Finding): Generator<MindEvent> {
    this.#isStopped = true
    this.#hasDropped = true
    this.#parts.log.warn({ mind: this.#parts.mind, finding }, 'the guard replaced a sentence')
    yield this.#safe(INSTEAD[finding])
  }

  #safe(kind: SafeSentence): MindEvent {
    const gap = this.#said === '' ? '' : ' '
    return { type: 'say', text: `${gap}${safeSentence(kind, this.#asked.order, this.#language)}`, isWhole: true }
  }

  /** Fails closed: what cannot be checked is not spoken. */
  #judge(text: string, isOpen: boolean): Verdict {
    try {
      return this.#judged(text, isOpen)
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a sentence could not be checked, and is not spoken')
      return 'fault'
    }
  }

  #judged(text: string, isOpen: boolean): Verdict {
    const { order } = this.#asked
    const { vault, hidden = [] } = this.#parts
    const places = vault.placesIn(text)
    const words = withoutPlaceholders(text)
    const before = `${this.#earlier} ${this.#said}`
    if (places === null || isUnspeakable(words, hidden, before)) return 'code'
    if (places.some((place) => !vault.mayTell(place, 'voice', this.#asked))) return 'private'
    if (this.#tells(words)) return 'private'
    if (this.#telephones.areForeign(words, this.#said)) return 'telephone'
    if (isOpen && this.#secrets.mayBeginIn(words)) return 'hold'
    if (claimsPerson(words, order.onBehalfOf)) return 'person'
    return this.#commitments.judge({ text: words, said: this.#said, isOpen })
  }

  /** A private value, at once or bit by bit, or a yes to one that the callee guessed. */
  #tells(text: string): boolean {
    const before = `${this.#earlier} ${this.#said}`
    if (this.#secrets.isToldIn(text)) return true
    if (this.#secrets.isToldIn(`${before} ${text}`) && !this.#secrets.isToldIn(before)) return true
    return nodsTo(text) && this.#isGuessed()
  }

  #isGuessed(): boolean {
    const { turns, order } = this.#asked
    const last = turns.findLast(({ speaker }) => speaker === 'user')?.text ?? ''
    const wasTold = (name: string) =>
      turns.some(({ speaker, text }) => speaker === 'agent' && text.includes(vaultMask(name)))
    const masked = (order.vault ?? []).filter(({ name }) => last.includes(vaultMask(name)))
    if (masked.length > 0) return masked.some(({ name }) => !wasTold(name))
    return this.#secrets.isToldIn(last)
  }

  // Sound that a mind made itself

  *#sound(event: Extract<MindEvent, { type: 'sound' }>): Generator<MindEvent> {
    if (this.#isStopped) this.#gate.drop(event.itemId)
    else yield* this.#afterSound(this.#gate.take(event))
  }

  *#afterSound({ events, isRefused }: ReturnType<SoundGate['take']>): Generator<MindEvent> {
    yield* events
    if (!isRefused || this.#isStopped) return
    yield* this.#replaced('fault')
  }
}
