import type { Logger } from 'pino'
import type { Carrier, Clock, DialOptions, Frame, LegEnd, Mouth, Ticker } from '@parley/voice-ports'
import type { OwnerLegEnd } from '@parley/contract'
import { OWNER_ACCEPT_MS, OWNER_ASKED_AGAIN_MS } from '../limits.ts'
import type { Announcement } from '../speaking/announcement.ts'
import { LiveSound } from '../speaking/live-sound.ts'
import { Microphone } from '../speaking/microphone.ts'
import type { Figures } from '../reporting/figures.ts'
import { Playback } from '../speaking/playback.ts'
import { Voice } from '../speaking/voice.ts'
import { LegControl, type LiveLegEvent } from './leg-control.ts'

export interface OwnerLegEvents {
  placed(carrierCallId: string): void
  /** Connected, and metered from here. */
  answered(): void
  /** The owner has pressed the key that accepts: the callee may be put through. */
  accepted(): void
  /** Once put through: 20 ms of the owner's voice. */
  voice(audio: Uint8Array): void
  digit(digit: string): void
  /** Nobody is there any more, or a machine is. Once. */
  gone(): void
  /** Once and last, with what the carrier says of it. */
  ended(end: LegEnd, outcome: OwnerLegEnd): void
}

export interface OwnerLegOptions {
  readonly carrier: Carrier
  readonly clock: Clock
  readonly ticker: Ticker
  readonly mouth: Mouth
  readonly figures: Figures
  readonly log: Logger
  readonly dial: DialOptions
  readonly announcement: Announcement & { readonly language: string; readonly voiceId: string }
  readonly events: OwnerLegEvents
}

const ACCEPTING_KEY = '1'

/**
 * A second leg, to the owner's phone: dialed, told who is on the line, and put through to the callee once the owner has
 * accepted by key, which no mailbox does.
 */
export class OwnerLeg {
  readonly #options: OwnerLegOptions
  readonly #control: LegControl
  readonly #playback: Playback
  readonly #silenced = new AbortController()
  readonly #cancelTimers: (() => void)[] = []
  #said = 0
  #answered = false
  #accepted = false
  #outcome: OwnerLegEnd = 'not_answered'
  #through: { readonly jitter: Microphone } | null = null
  #gone = false

  constructor(options: OwnerLegOptions) {
    this.#options = options
    const { carrier, clock, ticker, log, dial, events } = options
    this.#control = new LegControl({
      carrier,
      clock,
      log,
      dial,
      onEvent: (event) => this.#take(event),
      frames: { push: ({ audio }) => void (this.#through && events.voice(audio)) },
      onHungUp: () => this.#leave(),
      onEnded: (end) => {
        this.#leave()
        events.ended(end, this.#outcome)
      },
    })
    this.#playback = new Playback({
      clock,
      ticker,
      leg: this.#control.leg,
      events: {
        heard: () => undefined,
        itemHeard: () => undefined,
        played: () => this.#askAgainLater(),
        stalled: (id) => this.#playback.finish(id),
      },
    })
  }

  /** From here on both hear each other. */
  putThrough(): void {
    if (this.#gone || this.#through) return
    const { clock, ticker } = this.#options
    const live = new LiveSound(clock, this.#control.leg)
    const onFrame = (audio: Uint8Array) => void live.send(audio)
    this.#through = { jitter: new Microphone({ clock, ticker, onFrame, onSilence: () => undefined, patienceMs: null }) }
  }

  /** A frame of the callee. */
  hear({ audio }: Frame): void {
    this.#through?.jitter.push(audio, this)
  }

  press(digit: string): void {
    if (this.#through) this.#control.press(digit)
  }

  /** Nobody wants the owner on the line any more. */
  hangUp(): void {
    if (!this.#accepted && !this.#gone) this.#outcome = 'withdrawn'
    this.#hangUp()
  }

  #hangUp(): void {
    this.#leave()
    this.#control.hangUp()
  }

  #take(event: LiveLegEvent): void {
    const { events } = this.#options
    switch (event.type) {
      case 'placed':
        return events.placed(event.carrierCallId)
      case 'answered':
        return this.#pickedUp()
      case 'digit':
        return this.#through ? events.digit(event.digit) : this.#pressed(event.digit)
      case 'mark':
        return this.#playback.marked(event.name)
      case 'machine':
        if (event.verdict === 'human' || event.verdict === 'unknown' || this.#accepted) return undefined
        this.#outcome = 'machine'
        return this.#hangUp()
      case 'ringing':
      case 'media':
    }
  }

  #pickedUp(): void {
    if (this.#answered || this.#gone) return
    this.#answered = true
    this.#outcome = 'not_accepted'
    this.#options.events.answered()
    if (this.#gone) return
    this.#after(OWNER_ACCEPT_MS, () => this.#hangUp())
    void this.#say(this.#options.announcement.text)
  }

  #pressed(digit: string): void {
    if (digit !== ACCEPTING_KEY || this.#accepted || this.#gone) return
    this.#accepted = true
    this.#outcome = 'accepted'
    this.#silence()
    this.#options.events.accepted()
  }

  #askAgainLater(): void {
    if (this.#accepted || this.#gone) return
    this.#after(OWNER_ASKED_AGAIN_MS, () => void this.#say(this.#options.announcement.again))
  }

  async #say(text: string): Promise<void> {
    const { mouth, clock, log, announcement, figures } = this.#options
    const { language, voiceId } = announcement
    const id = ++this.#said
    const voice = new Voice({ mouth, voiceId, language, clock, figures, log })
    this.#playback.begin(id)
    this.#playback.sentence(id, { text, gap: '' }, voice.wordTimes)
    try {
      for await (const chunk of voice.speak(text, language, this.#silenced.signal)) this.#playback.sound(id, chunk)
      this.#playback.sentenceDone(id)
    } catch (error) {
      // The owner may press the key all the same.
      if (!this.#silenced.signal.aborted)
        log.error({ mouth: mouth.name, err: error }, 'owner not told who is on the line')
    } finally {
      voice.close()
    }
    this.#playback.finish(id)
  }

  #after(delayMs: number, task: () => void): void {
    this.#cancelTimers.push(this.#options.clock.after(delayMs, task))
  }

  /** No more is said, asked or waited for. */
  #silence(): void {
    for (const cancel of this.#cancelTimers.splice(0)) cancel()
    this.#silenced.abort()
    this.#playback.drop()
  }

  #leave(): void {
    if (this.#gone) return
    this.#gone = true
    this.#silence()
    this.#through?.jitter.close()
    this.#options.events.gone()
  }
}
