import type { CallOrder, EndReason, Outcome } from '@parley/contract'
import type { Logger } from 'pino'
import { VaultKeeper } from '@parley/offline-mind'
import type { Asked, CallState, Clock, Cue, Mind, MindEvent, Mouth } from '@parley/voice-ports'
import { LAST_OBSERVATION_MS, WAIT_MAX_MS } from '../limits.ts'
import type { Figures } from '../reporting/figures.ts'
import type { Transcript } from '../reporting/transcript.ts'
import { disclosure, disclosureLanguage } from './disclosure.ts'
import { Observer } from './observer.ts'
import { Outcomes } from './outcomes.ts'
import { phraseLanguage, wordPhrase, type Phrase } from './phrases.ts'
import type { Playback } from './playback.ts'
import { Reply, type Deed, type ReplySink } from './reply.ts'
import { Voice } from './voice.ts'

export interface AgentEvents {
  ready(id: number): void
  closes(id: number, reason: EndReason): void
  failed(id: number): void
  press(digits: string): void
  /** A private value was told by keys. */
  told?(name: string): void
  /** The callee asked what only the user can answer. */
  asksOwner?(question: string): void
  outcomes(outcomes: readonly Outcome[]): void
  phase(phase: string): void
  language(language: string): void
  optedOut(quote: string): void
  /** Connects the callee with somebody else. Without it nobody is connected. */
  transfer?(to: string): void
  /** The callee asked for a moment: they may be silent for this long. */
  wait?(forMs: number): void
}

export interface AgentOptions {
  readonly order: CallOrder
  readonly mind: Mind
  readonly mouth: Mouth
  readonly clock: Clock
  readonly transcript: Transcript
  readonly playback: Playback
  readonly figures: Figures
  readonly log: Logger
  readonly events: AgentEvents
  /** Until the time limit of the call. */
  readonly timeLeftMs: () => number
  /** The wall clock. */
  readonly now?: () => Date
}

/** More questions to the user than these are not kept. */
const QUESTIONS_MAX = 5

/** A phrase of the server; its id is set when it is spoken. */
interface PreparedPhrase {
  readonly reply: Reply
  id: number | null
  failed: boolean
}

/** The agent's side of the conversation: asks the mind, holds replies back until they are used, and speaks them. */
export class Agent {
  readonly #options: AgentOptions
  readonly #voice: Voice
  readonly #outcomes: Outcomes
  readonly #observer: Observer
  readonly #replies = new Map<number, Reply>()
  readonly #questions = new Set<string>()
  readonly #vault: VaultKeeper
  #prepared: PreparedPhrase | null = null
  #isOpen = false
  #speaking: number | null = null
  #memory: unknown
  #language: string

  constructor(options: AgentOptions, language: string) {
    const { order, mind, log, events, figures } = options
    this.#options = options
    this.#language = language
    this.#vault = new VaultKeeper(order.vault ?? [])
    this.#voice = new Voice({ ...options, voiceId: order.voiceId, language })
    this.#outcomes = new Outcomes(order.objectives)
    this.#observer = new Observer({
      mind,
      log,
      outcomes: this.#outcomes,
      question: () => this.#questionOfObserver(),
      events: {
        outcomes: (outcomes) => events.outcomes(outcomes),
        language: (heard) => events.language(heard),
        optedOut: (quote) => events.optedOut(quote),
        usage: (usage) => figures.used(usage),
      },
    })
  }

  get outcomes(): readonly Outcome[] {
    return this.#outcomes.list
  }

  /** Questions that only the user can answer. */
  get questions(): readonly string[] {
    return [...this.#questions]
  }

  /** What the mind is told of the call, now. */
  get state(): CallState {
    const { order, transcript, timeLeftMs, now = () => new Date() } = this.#options
    return {
      order,
      language: this.#language,
      turns: transcript.heard(),
      memory: this.#memory,
      now: now(),
      timezone: order.timezone ?? 'UTC',
      timeLeftMs: Math.max(0, Math.round(timeLeftMs())),
      outcomes: this.#outcomes.list,
    }
  }

  /** While the leg rings: connects the voice and makes the disclosure, so that it starts with the answer. */
  prepare(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    this.#voice.open()
    this.#prepared = this.#makePhrase('disclosure')
  }

  speakLanguage(language: string): void {
    this.#language = language
  }

  /** ahead: as of Asked. */
  ask(id: number, cue: Cue, ahead = false): void {
    const { mind, events, log, clock } = this.#options
    const asked: Asked = { ...this.state, cue, ...(ahead && { ahead }) }
    const reply = new Reply({
      ask: (signal) => this.#answers(asked, signal),
      speak: (text, language, signal) => this.#voice.speak(text, language, signal),
      language: asked.language,
      fill: (text) => this.#vault.filled(text),
      clock,
      events: {
        ready: () => events.ready(id),
        closes: (reason) => events.closes(id, reason),
        failed: (error) => {
          log[ahead ? 'info' : 'error']({ mind: mind.name, ahead, err: error }, 'reply failed')
          this.#replies.delete(id)
          events.failed(id)
        },
        broken: (error) => log.error({ mind: mind.name, err: error }, 'reply broke off'),
        dropped: (itemId) => mind.dropped?.(itemId),
      },
    })
    this.#replies.set(id, reply)
  }

  /** The callee's turn is over: the mind takes its second look, beside the reply. */
  observe(): void {
    this.#observer.look()
  }

  discard(id: number): void {
    this.#replies.get(id)?.discard()
    this.#replies.delete(id)
  }

  play(id: number): void {
    const reply = this.#replies.get(id)
    this.#speaking = id
    this.#options.playback.begin(id)
    if (reply) reply.use(this.#sink(id))
    else this.#options.playback.finish(id)
  }

  speak(id: number, phrase: Phrase): void {
    const prepared = phrase === 'disclosure' ? this.#prepared : null
    if (prepared) this.#prepared = null
    const made = prepared && !prepared.failed ? prepared : this.#makePhrase(phrase)
    made.id = id
    this.#replies.set(id, made.reply)
    this.play(id)
  }

  pause(): void {
    this.#options.playback.pause()
  }

  resume(): void {
    this.#options.playback.resume()
  }

  /** Drops the rest of the current sentence. */
  drop(): void {
    if (this.#speaking !== null) this.discard(this.#speaking)
    this.#speaking = null
    this.#options.playback.drop()
    this.#options.transcript.agentDone(false)
  }

  played(id: number): void {
    this.#replies.delete(id)
    this.#speaking = null
    this.#options.transcript.agentDone(true)
  }

  /** The mouth fell silent in mid-sentence: ends with the sound that there is. */
  stalled(id: number): void {
    this.#options.log.error({ mouth: this.#voice.name }, 'speech stalled')
    this.discard(id)
    this.#options.playback.finish(id)
  }

  /** Tells the mind how much of its own sound was heard; an item without any is as if it had not been made. */
  itemHeard(itemId: string, heardMs: number): void {
    const { mind } = this.#options
    if (heardMs > 0) mind.heard?.(itemId, heardMs)
    else mind.dropped?.(itemId)
  }

  close(): void {
    this.#prepared?.reply.discard()
    for (const reply of this.#replies.values()) reply.discard()
    this.#replies.clear()
    this.#options.playback.drop()
    this.#voice.close()
  }

  /** After the call: awaits the observation under way, and logs what the minds have read and written. */
  async concluded(): Promise<void> {
    await this.#observer.end(LAST_OBSERVATION_MS)
    const { tokens } = this.#options.figures
    if (tokens.length > 0) this.#options.log.info({ mind: this.#options.mind.name, tokens }, 'tokens used')
  }

  #questionOfObserver(): Asked | null {
    const { state } = this
    const last = state.turns.findLast(({ speaker }) => speaker === 'user')
    return last ? { ...state, cue: { type: 'heard', text: last.text } } : null
  }

  /**
   * The mind's reply. What it has used counts even where it is discarded. The user is told of a question, and no answer
   * comes back during the call: a reply of nothing else says that the question is passed on.
   */
  async *#answers(asked: Asked, signal: AbortSignal): AsyncGenerator<MindEvent> {
    const { clock, figures, mind } = this.#options
    const askedMs = clock.nowMs()
    let isSpoken = false
    let asksOwner = false
    const passedOn = (): MindEvent => ({ type: 'say', text: wordPhrase('passed_on', asked.language) })
    for await (const event of mind.respond(asked, signal)) {
      if (event.type === 'usage') figures.used(event)
      const speaks = event.type === 'say' || event.type === 'sound'
      if (speaks && !isSpoken) figures.took('mind_first_word', clock.nowMs() - askedMs)
      isSpoken ||= speaks
      asksOwner ||= event.type === 'ask_owner'
      if (event.type === 'memory' && asksOwner && !isSpoken) {
        isSpoken = true
        yield passedOn()
      }
      yield event
    }
    if (asksOwner && !isSpoken) yield passedOn()
  }

  /** Kept for the summary, and told to the user once. */
  #askOwner(question: string): void {
    const { events, log } = this.#options
    if (this.#questions.has(question) || this.#questions.size >= QUESTIONS_MAX) return
    log.info('a question for the user')
    this.#questions.add(question)
    events.asksOwner?.(question)
  }

  /** A private value goes to the keypad as far as it has keys. */
  #press(digits: string): void {
    const { spoken, names } = this.#vault.filled(digits)
    const keys = spoken.replace(NO_KEY, '')
    if (keys === '') return this.#options.log.warn('there are no keys for what was to be pressed')
    this.#options.events.press(keys)
    for (const name of names) this.#options.events.told?.(name)
  }

  #makePhrase(phrase: Phrase): PreparedPhrase {
    const { order, clock, playback, log } = this.#options
    const text = textOf(phrase, this.#language, order)
    const language = phrase === 'disclosure' ? disclosureLanguage(this.#language) : phraseLanguage(this.#language)
    async function* said(): AsyncGenerator<MindEvent> {
      yield { type: 'say', text }
    }
    const failed = (error: unknown) => {
      log.error({ mouth: this.#voice.name, phrase, err: error }, 'phrase not spoken')
      made.failed = true
      if (made.id !== null) playback.finish(made.id)
    }
    const made: PreparedPhrase = {
      id: null,
      failed: false,
      reply: new Reply({
        ask: said,
        speak: (sentence, spoken, signal) => this.#voice.speak(sentence, spoken, signal),
        language,
        clock,
        events: { ready: nothing, closes: nothing, failed, broken: failed, dropped: nothing },
      }),
    }
    return made
  }

  #sink(id: number): ReplySink {
    const { playback } = this.#options
    return {
      sentence: (piece) => playback.sentence(id, piece, this.#voice.wordTimes),
      sound: (chunk) => playback.sound(id, chunk),
      sentenceDone: () => playback.sentenceDone(id),
      item: (itemId) => playback.item(id, itemId),
      itemText: (delta) => playback.itemText(id, delta),
      deed: (deed) => this.#do(id, deed),
      memory: (memory) => void (this.#memory = memory),
      end: () => playback.finish(id),
    }
  }

  #do(id: number, deed: Deed): void {
    const { events, playback, log } = this.#options
    switch (deed.type) {
      case 'press':
        return playback.whenHeard(id, () => this.#press(deed.digits))
      case 'transfer':
        return playback.whenHeard(id, () => {
          if (events.transfer) events.transfer(deed.to)
          else log.warn('a transfer was asked for, and there is none')
        })
      case 'wait':
        return events.wait?.(Math.min(WAIT_MAX_MS, Math.max(0, deed.forMs || 0)))
      case 'ask_owner':
        return this.#askOwner(deed.question)
      case 'outcome':
        return this.#outcomes.tell(deed.index, deed.outcome) ? events.outcomes(this.outcomes) : undefined
      case 'phase':
        return events.phase(deed.phase)
      case 'language':
        return events.language(deed.language)
      case 'opted_out':
        return events.optedOut(deed.quote)
      case 'hang_up':
        // Announced by closes(): the turns hang up once everything was heard.
        return undefined
    }
  }
}

const nothing = () => undefined
const NO_KEY = /[^\d*#]/g

function textOf(phrase: Phrase, language: string, { onBehalfOf, record, askToRecord }: CallOrder): string {
  if (phrase === 'disclosure') return disclosure(language, onBehalfOf, record && !askToRecord)
  if (phrase === 'ask_record_again')
    return `${disclosure(language, onBehalfOf, false)} ${wordPhrase('ask_record', language)}`
  return wordPhrase(phrase, language)
}
