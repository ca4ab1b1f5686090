import type { EndReason, VerificationOrder } from '@parley/contract'
import type { LegEnd } from '@parley/voice-ports'
import type { Logger } from 'pino'
import { ANNOUNCEMENT_LIMIT_MS, ANNOUNCEMENT_PAUSE_MS, RING_BACKSTOP_MS } from '../limits.ts'
import { wordCode } from '../speaking/code.ts'
import { Playback } from '../speaking/playback.ts'
import { Voice } from '../speaking/voice.ts'
import { Figures, NO_PRICES } from '../reporting/figures.ts'
import type { Report } from '../reporting/report.ts'
import type { SessionAdapters } from './adapters.ts'
import { containedTime } from './contained.ts'
import { endedFact } from './endings.ts'
import { LegControl, type LiveLegEvent } from './leg-control.ts'

export interface AnnouncementAdapters extends Pick<
  SessionAdapters,
  'carrier' | 'mouth' | 'clock' | 'ticker' | 'log' | 'webhookBase'
> {
  readonly report: Pick<Report, 'add' | 'flushed' | 'complete'>
}

/** Of the one text that is said. */
const OUTPUT = 1

/**
 * A call that tells a code and hangs up. The server speaks, without mind or ear; nothing of it is recorded, and its words
 * are reported only where the far end is the simulated network.
 */
export class Announcement {
  readonly ended: Promise<EndReason>
  /** Resolves when the facts were delivered or given up. */
  readonly reported: Promise<void>
  readonly #order: VerificationOrder
  readonly #adapters: AnnouncementAdapters
  readonly #log: Logger
  readonly #leg: LegControl
  readonly #playback: Playback
  readonly #voice: Voice
  readonly #silenced = new AbortController()
  readonly #timers = new Set<() => void>()
  #answered = false
  #heard: { readonly text: string; readonly sinceMs: number } | null = null
  #answeredMs = 0
  #hungUpFor: EndReason | null = null
  #over = false
  #resolveEnded: (reason: EndReason) => void

  constructor(order: VerificationOrder, adapters: AnnouncementAdapters) {
    this.#order = order
    this.#adapters = containedTime(adapters, (error) => this.#fault(error)).time
    const { carrier, clock, report, mouth, log } = this.#adapters
    this.#log = log.child({ callId: order.callId })
    const figures = new Figures({ prices: NO_PRICES })
    this.#voice = new Voice({ mouth, voiceId: 'default', language: order.language, clock, figures, log: this.#log })
    const over = Promise.withResolvers<EndReason>()
    this.#resolveEnded = over.resolve
    this.ended = over.promise
    this.reported = over.promise.then(() => report.flushed())
    report.add({ type: 'dialing' })
    this.#leg = new LegControl({
      carrier,
      clock,
      log: this.#log,
      dial: {
        callId: order.callId,
        to: order.callee,
        from: null,
        userId: order.userId,
        language: order.language,
        answerTimeoutMs: order.answerTimeoutSeconds * 1000,
        limitMs: ANNOUNCEMENT_LIMIT_MS,
        detectMachine: false,
        webhookBase: adapters.webhookBase ?? null,
      },
      onEvent: (event) => this.#guard(() => this.#onLeg(event)),
      onHungUp: () => this.#guard(() => this.#disconnect()),
      onEnded: (end) => this.#guard(() => this.#end(end)),
    })
    this.#playback = this.#makePlayback()
    this.#after(order.answerTimeoutSeconds * 1000 + RING_BACKSTOP_MS, () => {
      if (!this.#answered) this.#hangUp('no_answer')
    })
  }

  stop(reason: 'stopped' | 'interrupted'): void {
    this.#guard(() => this.#hangUp(reason))
  }

  #onLeg(event: LiveLegEvent): void {
    switch (event.type) {
      case 'placed':
        return this.#adapters.report.add({ type: 'placed', carrierCallId: event.carrierCallId })
      case 'ringing':
        this.#adapters.report.add({ type: 'ringing' })
        return this.#voice.open()
      case 'answered':
        return this.#answer()
      case 'digit':
        return event.digit === '9' ? this.#optOut() : undefined
      case 'mark':
        return this.#playback.marked(event.name)
      case 'media':
      case 'machine':
    }
  }

  #answer(): void {
    if (this.#answered) return
    this.#answered = true
    this.#answeredMs = this.#adapters.clock.nowMs()
    this.#adapters.report.add({ type: 'answered' })
    // The phone is on its way to an ear.
    this.#after(ANNOUNCEMENT_PAUSE_MS, () => void this.#speak().catch((error: unknown) => this.#fail(error)))
    this.#after(ANNOUNCEMENT_LIMIT_MS, () => this.#hangUp('time_limit'))
  }

  async #speak(): Promise<void> {
    const { sentences, language } = wordCode(this.#order.code, this.#order.language)
    const { signal } = this.#silenced
    this.#playback.begin(OUTPUT)
    for (const text of sentences) {
      this.#playback.sentence(OUTPUT, { text, gap: ' ' }, this.#voice.wordTimes)
      for await (const chunk of this.#voice.speak(text, language, signal)) {
        if (signal.aborted) return
        this.#playback.sound(OUTPUT, chunk)
      }
      this.#playback.sentenceDone(OUTPUT)
    }
    this.#playback.finish(OUTPUT)
  }

  #makePlayback(): Playback {
    const { clock, ticker } = this.#adapters
    const nothing = () => undefined
    return new Playback({
      clock,
      ticker,
      leg: this.#leg.leg,
      events: {
        itemHeard: nothing,
        heard: (text, sinceMs) => void (this.#heard = { text, sinceMs }),
        played: () => this.#guard(() => this.#after(ANNOUNCEMENT_PAUSE_MS, () => this.#hangUp('agent_closed'))),
        stalled: () => this.#guard(() => this.#hangUp('interrupted')),
      },
    })
  }

  #optOut(): void {
    this.#adapters.report.add({ type: 'opted_out', quote: '' })
    this.#hangUp('opted_out')
  }

  #hangUp(reason: EndReason): void {
    if (this.#hungUpFor !== null || this.#over) return
    this.#hungUpFor = reason
    this.#silence()
    this.#leg.hangUp()
  }

  #silence(): void {
    this.#silenced.abort()
    this.#playback.drop()
    this.#voice.close()
  }

  #disconnect(): void {
    if (this.#over) return
    this.#over = true
    for (const cancel of this.#timers) cancel()
    this.#silence()
  }

  #end(end: LegEnd): void {
    this.#disconnect()
    const { report } = this.#adapters
    const fact = endedFact(end, { answered: this.#answered, hungUpFor: this.#hungUpFor, closing: null })
    const { reason } = fact
    this.#reportHeard()
    report.add(fact)
    report.complete()
    this.#log.info({ reason, cause: end.cause, connectedMs: Math.round(end.connectedMs) }, 'call with a code ended')
    this.#resolveEnded(reason)
  }

  /** Only the simulated network carries text: there is nobody whose code that would be. */
  #reportHeard(): void {
    if (!this.#heard || !this.#leg.leg.capabilities.text) return
    const { text, sinceMs } = this.#heard
    const [startMs, endMs] = [sinceMs, this.#adapters.clock.nowMs()].map((ms) =>
      Math.max(0, Math.round(ms - this.#answeredMs)),
    )
    const turn = { index: 0, speaker: 'agent', text, startMs: startMs ?? 0, endMs: endMs ?? 0, heard: true } as const
    this.#adapters.report.add({ type: 'turn', turn })
  }

  #fail(error: unknown): void {
    if (this.#over || this.#silenced.signal.aborted) return
    this.#log.error({ err: error }, 'code not told')
    this.#hangUp('interrupted')
  }

  /** A fault ends this call, and no other. */
  #guard(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.#fault(error)
    }
  }

  #fault(error: unknown): void {
    this.#log.error({ err: error }, 'session fault')
    this.#hangUp('interrupted')
  }

  #after(delayMs: number, task: () => void): void {
    const cancel = this.#adapters.clock.after(delayMs, () => {
      this.#timers.delete(cancel)
      if (!this.#over) this.#guard(task)
    })
    this.#timers.add(cancel)
  }
}
