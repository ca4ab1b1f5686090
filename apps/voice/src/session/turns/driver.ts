import { timeLimits } from '../limits.ts'
import { step } from './turns.ts'
import {
  type CalleeSide,
  firstState,
  nextDeadlineMs,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
} from './state.ts'

export interface Done {
  readonly atMs: number
  readonly effect: TurnEffect
}

interface DriverOptions {
  readonly limitSeconds?: number
  readonly language?: string
  readonly lazyEar?: boolean
  readonly consent?: TurnState['consent']
}

/** Drives the turns through a conversation, with every deadline at its time. For tests. */
export class TurnDriver {
  state: TurnState
  nowMs = 0
  readonly done: Done[] = []
  readonly #lazyEar: boolean
  #loud = false
  #partial = ''

  /** A lazy ear does not settle its words when it is told to. */
  constructor({ limitSeconds = 600, language = 'en', lazyEar = false, consent = 'none' }: DriverOptions = {}) {
    this.state = firstState(language, timeLimits(limitSeconds), consent)
    this.#lazyEar = lazyEar
  }

  send(event: TurnEvent): this {
    const { state, effects } = step(this.state, event, this.nowMs)
    this.state = state
    this.done.push(...effects.map((effect) => ({ atMs: this.nowMs, effect })))
    return this
  }

  wait(ms: number, side: CalleeSide = this.#loud ? 'loud' : 'quiet'): this {
    const untilMs = this.nowMs + ms
    for (
      let dueMs = nextDeadlineMs(this.state);
      dueMs !== null && dueMs <= untilMs;
      dueMs = nextDeadlineMs(this.state)
    ) {
      this.nowMs = Math.max(this.nowMs, dueMs)
      this.send({ type: 'tick', side })
    }
    this.nowMs = untilMs
    return this
  }

  /** The callee says these words for `ms`; the detector finds the start 60 ms and the end 200 ms late. */
  calleeSays(text: string, ms = 1000): this {
    this.calleeStarts().wait(ms - 60)
    if (text !== '') this.hears(text)
    return this.calleeStops()
  }

  /** `words` come before the detector, which is so late. */
  calleeStarts(lateMs = 60, words = ''): this {
    this.#loud = true
    this.wait(lateMs)
    if (words !== '') this.hears(words)
    return this.send({ type: 'speech_started', sinceMs: this.nowMs - lateMs, oursUntilMs: this.#oursUntilMs })
  }

  calleeStops(): this {
    const untilMs = this.nowMs
    this.#loud = false
    this.wait(200).send({ type: 'speech_stopped', untilMs })
    if (this.#lazyEar) return this
    if (this.#partial !== '') this.hears(this.#partial, true)
    return this.send({ type: 'settled' })
  }

  hears(text: string, final = false): this {
    this.#partial = final ? '' : text
    return this.send({ type: 'words', text, final })
  }

  /** The reply under way can be used. */
  replyReady(): this {
    return this.send({ type: 'reply_ready', id: this.state.reply?.id ?? -1 })
  }

  replyFails(): this {
    return this.send({ type: 'reply_failed', id: this.state.reply?.id ?? -1 })
  }

  /** Our outputs sound from their beginning to their end. */
  get #oursUntilMs(): number {
    return this.state.output ? this.nowMs : -Infinity
  }

  /** The current output was heard to its end. */
  played(): this {
    return this.send({ type: 'played', id: this.state.output?.id ?? -1, heardMs: this.#oursUntilMs })
  }

  /** Answered, disclosed, opened: the callee has the turn. */
  opened(): this {
    return this.send({ type: 'answered' }).replyReady().wait(3000).played().wait(300).wait(3000).played().clear()
  }

  /** The agent is in the middle of an answer. */
  answering(): this {
    return this.opened().calleeSays('A table for how many?').replyReady().wait(1000).clear()
  }

  clear(): this {
    this.done.length = 0
    return this
  }

  /** The effects so far, by name; asks with their cue. */
  get names(): string[] {
    return this.done.map(({ effect }) => {
      if (effect.type === 'ask') return `ask ${effect.cue.type}`
      if (effect.type === 'speak') return `speak ${effect.phrase}`
      return effect.type === 'hang_up' ? `hang_up ${effect.reason}` : effect.type
    })
  }

  /** The effects that decide who speaks. */
  get acts(): string[] {
    return this.names.filter((name) => !['finalize', 'predict_turn_end'].includes(name) && !name.startsWith('callee_'))
  }

  whenDid(name: string): number | undefined {
    return this.done[this.names.indexOf(name)]?.atMs
  }
}
