import type { CallOrder, EndReason, Outcome } from '@parley/contract'
import type { Logger } from 'pino'
import type { Asked, Cue, Mind, MindEvent, Mouth } from '@parley/voice-ports'
import { disclosure, disclosureLanguage } from './disclosure.ts'
import { phraseLanguage, wordPhrase, type Phrase } from './phrases.ts'
import type { Playback } from './playback.ts'
import { Reply, type Deed, type ReplySink } from './reply.ts'
import type { Transcript } from '../reporting/transcript.ts'

export interface AgentEvents {
  ready(id: number): void
  closes(id: number, reason: EndReason): void
  failed(id: number): void
  press(digits: string): void
  outcomes(outcomes: readonly Outcome[]): void
  phase(phase: string): void
  language(language: string): void
  optedOut(quote: string): void
}

export interface AgentOptions {
  readonly order: CallOrder
  readonly mind: Mind
  readonly mouth: Mouth
  readonly transcript: Transcript
  readonly playback: Playback
  readonly log: Logger
  readonly events: AgentEvents
}

/** A phrase of the server; its id is set when it is spoken. */
interface PreparedPhrase {
  readonly reply: Reply
  id: number | null
  failed: boolean
}

/** The agent's side of the conversation: asks the mind, holds replies back until they are used, and speaks them. */
export class Agent {
  readonly #options: AgentOptions
  readonly #replies = new Map<number, Reply>()
  readonly #outcomes: Outcome[]
  #prepared: PreparedPhrase | null = null
  #speaking: number | null = null
  #memory: unknown
  #language: string

  constructor(options: AgentOptions, language: string) {
    this.#options = options
    this.#language = language
    this.#outcomes = options.order.objectives.map((objective) => ({
      objective,
      status: 'open',
      quote: null,
      turn: null,
    }))
  }

  get memory(): unknown {
    return this.#memory
  }

  get outcomes(): readonly Outcome[] {
    return this.#outcomes
  }

  /** Synthesizes the disclosure while the leg rings, so that it starts with the answer. */
  prepare(): void {
    this.#prepared = this.#makePhrase('disclosure')
  }

  speakLanguage(language: string): void {
    this.#language = language
  }

  ask(id: number, cue: Cue): void {
    const { order, mind, transcript, events, log } = this.#options
    const asked: Asked = { order, language: this.#language, turns: transcript.heard(), cue, memory: this.#memory }
    let language = this.#language
    async function* followLanguage(signal: AbortSignal): AsyncGenerator<MindEvent> {
      for await (const event of mind.respond(asked, signal)) {
        if (event.type === 'language') ({ language } = event)
        yield event
      }
    }
    const reply = new Reply(followLanguage, (text, signal) => this.#voice(text, language, signal), {
      ready: () => events.ready(id),
      closes: (reason) => events.closes(id, reason),
      failed: (error) => {
        log.error({ mind: mind.name, err: error }, 'reply failed')
        this.#replies.delete(id)
        events.failed(id)
      },
      broken: (error) => log.error({ mind: mind.name, err: error }, 'reply broke off'),
    })
    this.#replies.set(id, reply)
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
    this.#options.log.error({ mouth: this.#options.mouth.name }, 'speech stalled')
    this.discard(id)
    this.#options.playback.finish(id)
  }

  close(): void {
    this.#prepared?.reply.discard()
    for (const reply of this.#replies.values()) reply.discard()
    this.#replies.clear()
    this.#options.playback.drop()
  }

  #voice(text: string, language: string, signal: AbortSignal) {
    const { mouth, order } = this.#options
    return mouth.speak(text, { language, voiceId: order.voiceId, signal })
  }

  #makePhrase(phrase: Phrase): PreparedPhrase {
    const { order, mouth, playback, log } = this.#options
    const text = textOf(phrase, this.#language, order)
    const language = phrase === 'disclosure' ? disclosureLanguage(this.#language) : phraseLanguage(this.#language)
    async function* said(): AsyncGenerator<MindEvent> {
      yield { type: 'say', text }
    }
    const failed = (error: unknown) => {
      log.error({ mouth: mouth.name, phrase, err: error }, 'phrase not spoken')
      made.failed = true
      if (made.id !== null) playback.finish(made.id)
    }
    const made: PreparedPhrase = {
      id: null,
      failed: false,
      reply: new Reply(said, (sentence, signal) => this.#voice(sentence, language, signal), {
        ready: () => undefined,
        closes: () => undefined,
        failed,
        broken: failed,
      }),
    }
    return made
  }

  #sink(id: number): ReplySink {
    const { playback } = this.#options
    return {
      sentence: (text) => playback.sentence(id, text),
      sound: (chunk) => playback.sound(id, chunk),
      sentenceDone: () => playback.sentenceDone(id),
      deed: (deed) => this.#do(id, deed),
      memory: (memory) => void (this.#memory = memory),
      end: () => playback.finish(id),
    }
  }

  #do(id: number, deed: Deed): void {
    const { events, playback } = this.#options
    switch (deed.type) {
      case 'press':
        return playback.whenHeard(id, () => events.press(deed.digits))
      case 'outcome':
        if (deed.index >= this.#outcomes.length) return undefined
        this.#outcomes[deed.index] = deed.outcome
        return events.outcomes([...this.#outcomes])
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

function textOf(phrase: Phrase, language: string, { onBehalfOf, record, askToRecord }: CallOrder): string {
  if (phrase === 'disclosure') return disclosure(language, onBehalfOf, record && !askToRecord)
  if (phrase === 'ask_record_again')
    return `${disclosure(language, onBehalfOf, false)} ${wordPhrase('ask_record', language)}`
  return wordPhrase(phrase, language)
}
