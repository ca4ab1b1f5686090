import type { Logger } from 'pino'
import type { Carrier, Clock, DialOptions, Frame, Mouth, Ticker } from '@parley/voice-ports'
import { LiveSound } from '../speaking/live-sound.ts'
import { Microphone } from '../speaking/microphone.ts'
import type { Figures } from '../reporting/figures.ts'
import { Playback } from '../speaking/playback.ts'
import { Voice } from '../speaking/voice.ts'
import { LegControl, type LiveLegEvent } from './leg-control.ts'

interface Announcement {
  readonly text: string
  readonly language: string
  readonly voiceId: string
}

export interface OwnerLegEvents {
  placed(carrierCallId: string): void
  /** Connected, and metered from here. */
  answered(): void
  /** The announcement was heard: the callee may be put through. */
  ready(): void
  /** Once put through: 20 ms of the owner's voice. */
  voice(audio: Uint8Array): void
  digit(digit: string): void
  /** Nobody is there any more, or a machine is. Once. */
  gone(): void
  /** Once and last, with the carrier's count. */
  ended(connectedMs: number): void
}

export interface OwnerLegOptions {
  readonly carrier: Carrier
  readonly clock: Clock
  readonly ticker: Ticker
  readonly mouth: Mouth
  readonly figures: Figures
  readonly log: Logger
  readonly dial: DialOptions
  readonly announcement: Announcement
  readonly events: OwnerLegEvents
}

const ANNOUNCEMENT_ID = 1

/** A second leg, to the owner's phone: dialed, told who is on the line, and put through to the callee. */
export class OwnerLeg {
  readonly #options: OwnerLegOptions
  readonly #control: LegControl
  readonly #playback: Playback
  readonly #silenced = new AbortController()
  #answered = false
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
      onHungUp: () => this.#leave(),
      onEnded: ({ connectedMs }) => {
        this.#leave()
        events.ended(connectedMs)
      },
    })
    this.#playback = new Playback({
      clock,
      ticker,
      leg: this.#control.leg,
      events: {
        sent: () => undefined,
        heard: () => undefined,
        itemHeard: () => undefined,
        played: () => this.#gone || events.ready(),
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

  hangUp(): void {
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
      case 'frame':
        return this.#through ? events.voice(event.frame.audio) : undefined
      case 'digit':
        return this.#through ? events.digit(event.digit) : undefined
      case 'mark':
        return this.#playback.marked(event.name)
      case 'machine':
        // Nobody is put through to the owner's mailbox.
        return event.verdict === 'human' || event.verdict === 'unknown' ? undefined : this.hangUp()
      case 'ringing':
      case 'media':
    }
  }

  #pickedUp(): void {
    if (this.#answered || this.#gone) return
    this.#answered = true
    this.#options.events.answered()
    if (!this.#gone) void this.#announce()
  }

  async #announce(): Promise<void> {
    const { mouth, clock, log, announcement, figures } = this.#options
    const { text, language, voiceId } = announcement
    const voice = new Voice({ mouth, voiceId, language, clock, figures, log })
    this.#playback.begin(ANNOUNCEMENT_ID)
    this.#playback.sentence(ANNOUNCEMENT_ID, { text, gap: '' }, voice.wordTimes)
    try {
      for await (const chunk of voice.speak(text, language, this.#silenced.signal))
        this.#playback.sound(ANNOUNCEMENT_ID, chunk)
      this.#playback.sentenceDone(ANNOUNCEMENT_ID)
    } catch (error) {
      // Better put through without a word than not at all.
      if (!this.#gone) log.error({ mouth: mouth.name, err: error }, 'announcement to the owner not spoken')
    } finally {
      voice.close()
    }
    this.#playback.finish(ANNOUNCEMENT_ID)
  }

  #leave(): void {
    if (this.#gone) return
    this.#gone = true
    this.#silenced.abort()
    this.#playback.drop()
    this.#through?.jitter.close()
    this.#options.events.gone()
  }
}
