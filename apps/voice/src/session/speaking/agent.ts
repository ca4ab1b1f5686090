import type { CallOrder, EndReason, Outcome } from '@parley/contract'
import type { Logger } from 'pino'
import type { Asked, Cue, Mind, MindEvent, Mouth } from '@parley/voice-ports'
import { disclosure, disclosureLanguage } from './disclosure.ts'
import { lineLanguage, wordLine, type Line } from './phrases.ts'
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

export interface AgentParts {
  readonly order: CallOrder
  readonly mind: Mind
  readonly mouth: Mouth
  readonly transcript: Transcript
  readonly playback: Playback
  readonly log: Logger
  readonly events: AgentEvents
}

/** A line of the server's own; its number is given when it is spoken. */
interface PreparedLine {
  readonly reply: Reply
  id: number | null
  failed: boolean
}

/** Our side of the conversation: asks the mind, keeps replies back until they are used, and says them. */
export class Agent {
  readonly #parts: AgentParts
  readonly #replies = new Map<number, Reply>()
  readonly #outcomes: Outcome[]
  #prepared: PreparedLine | null = null
  #speaking: number | null = null
  #memory: unknown
  #language: string

  constructor(parts: AgentParts, language: string) {
    this.#parts = parts
    this.#language = language
    this.#outcomes = parts.order.objectives.map((objective) => ({ objective, status: 'open', quote: null, turn: null }))
  }

  get memory(): unknown {
    return this.#memory
  }

  /** What the call is known to have achieved so far. */
  get outcomes(): readonly Outcome[] {
    return this.#outcomes
  }

  /** The disclosure is put into sound while it rings, so that it can begin with the answer. */
  prepare(): void {
    this.#prepared = this.#makeLine('disclosure')
  }

  speakLanguage(language: string): void {
    this.#language = language
  }

  ask(id: number, cue: Cue): void {
    const { order, mind, transcript, events, log } = this.#parts
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
    this.#parts.playback.begin(id)
    if (reply) reply.use(this.#sink(id))
    else this.#parts.playback.finish(id)
  }

  speak(id: number, line: Line): void {
    const prepared = line === 'disclosure' ? this.#prepared : null
    if (prepared) this.#prepared = null
    const made = prepared && !prepared.failed ? prepared : this.#makeLine(line)
    made.id = id
    this.#replies.set(id, made.reply)
    this.play(id)
  }

  pause(): void {
    this.#parts.playback.pause()
  }

  resume(): void {
    this.#parts.playback.resume()
  }

  /** The rest of what is being said will not be. */
  drop(): void {
    if (this.#speaking !== null) this.discard(this.#speaking)
    this.#speaking = null
    this.#parts.playback.drop()
    this.#parts.transcript.agentDone(false)
  }

  played(id: number): void {
    this.#replies.delete(id)
    this.#speaking = null
    this.#parts.transcript.agentDone(true)
  }

  /** Its maker fell silent in mid-sentence: what there is must do. */
  stalled(id: number): void {
    this.#parts.log.error({ mouth: this.#parts.mouth.name }, 'speech stalled')
    this.discard(id)
    this.#parts.playback.finish(id)
  }

  close(): void {
    this.#prepared?.reply.discard()
    for (const reply of this.#replies.values()) reply.discard()
    this.#replies.clear()
    this.#parts.playback.drop()
  }

  #voice(text: string, language: string, signal: AbortSignal) {
    const { mouth, order } = this.#parts
    return mouth.speak(text, { language, voiceId: order.voiceId, signal })
  }

  #makeLine(line: Line): PreparedLine {
    const { order, mouth, playback, log } = this.#parts
    const text = textOf(line, this.#language, order)
    const language = line === 'disclosure' ? disclosureLanguage(this.#language) : lineLanguage(this.#language)
    async function* said(): AsyncGenerator<MindEvent> {
      yield { type: 'say', text }
    }
    const failed = (error: unknown) => {
      log.error({ mouth: mouth.name, line, err: error }, 'line not spoken')
      made.failed = true
      if (made.id !== null) playback.finish(made.id)
    }
    const made: PreparedLine = {
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
    const { playback } = this.#parts
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
    const { events, playback } = this.#parts
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
        // Known since the mind said it; the turns see to it when all was heard.
        return undefined
    }
  }
}

function textOf(line: Line, language: string, { onBehalfOf, record, askToRecord }: CallOrder): string {
  if (line === 'disclosure') return disclosure(language, onBehalfOf, record && !askToRecord)
  if (line === 'ask_record_again')
    return `${disclosure(language, onBehalfOf, false)} ${wordLine('ask_record', language)}`
  return wordLine(line, language)
}
