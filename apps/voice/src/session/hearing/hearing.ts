import type { CallOrder } from '@parley/contract'
import {
  type Activity,
  type Clock,
  createToneDetector,
  type Ear,
  type Frame,
  type HeardTurn,
  type MachineVerdict,
  type SpeechDetector,
  type TurnEnd,
} from '@parley/voice-ports'
import type { Logger } from 'pino'
import type { Figures } from '../reporting/figures.ts'
import type { TurnEvent } from '../turns/state.ts'
import type { HeardFrame } from './callee-audio.ts'
import { type Heard, KeptEar } from './kept-ear.ts'
import { keytermsOf } from './keyterms.ts'
import { MachineListener } from './listener.ts'
import type { MachineSign } from './machine.ts'
import { OwnWords } from './own-words.ts'
import { Pauses } from './pauses.ts'
import { VoiceActivity } from './voice-activity.ts'

export interface HearingOptions {
  readonly order: CallOrder
  readonly figures: Figures
  readonly ears: readonly Ear[]
  /** Without one, the words alone tell the end of a turn. */
  readonly turnEnd: TurnEnd | null
  /** Without one, the level alone tells speech from noise. */
  readonly speechDetector?: SpeechDetector | null
  /** Whether words travel beside the sound: they prove the speech, and the detector would only cost. */
  readonly carriesText: () => boolean
  readonly clock: Clock
  readonly log: Logger
  /** A timer that ends with the call. */
  readonly after: (delayMs: number, task: () => void) => void
  /** Contains the faults of an adapter's callback. */
  readonly guard: (task: () => void) => void
  readonly language: () => string
  readonly turns: () => readonly HeardTurn[]
  readonly isPersonSpeaking: () => boolean
  /** When the callee hears our latest frame. */
  readonly soundedMs: () => number
  readonly dispatch: (event: TurnEvent) => void
  readonly onSign: (sign: MachineSign) => void
  readonly onLanguage: (language: string) => void
}

/** The callee's side of a call: voice, words, machines and pauses, without the agent's echo. */
export class Hearing {
  readonly #options: HearingOptions
  readonly #ear: KeptEar
  readonly #machine: MachineListener
  readonly #pauses: Pauses | null
  /** Made at the first frame: what the leg can do is final by then. */
  #voice: VoiceActivity | null = null
  readonly #ownWords = new OwnWords()
  readonly #tones = createToneDetector(['single'])
  #isSpeaking = false
  #finalizedMs: number | null = null
  #isClosed = false

  constructor(options: HearingOptions) {
    this.#options = options
    const { order, ears, figures, turnEnd, clock, log, after, guard, dispatch, isPersonSpeaking, onSign } = options
    this.#machine = new MachineListener({ clock, after, isPersonSpeaking, onSign })
    this.#ear = new KeptEar({
      callId: order.callId,
      ears,
      clock,
      log,
      after,
      language: options.language,
      languageIsGuess: order.language === 'auto',
      keyterms: keytermsOf(order),
      onEvent: (event) => guard(() => this.#onEar(event)),
      onReady: ({ settlesWithinMs, turns }) => guard(() => dispatch({ type: 'ear_ready', settlesWithinMs, turns })),
      onFed: ({ name }, ms) => figures.heard(name, ms),
      onBroken: () => guard(() => dispatch({ type: 'ear_broken' })),
      onLost: () => guard(() => dispatch({ type: 'ear_lost' })),
    })
    const onPredicted = (pause: number, waitMs: number) => guard(() => dispatch({ type: 'turn_end', pause, waitMs }))
    this.#pauses = turnEnd ? new Pauses({ ...options, turnEnd, onPredicted }) : null
  }

  /** Whether the callee's side is above its noise now, speech or not. */
  get isLoud(): boolean {
    return this.#voice?.loud ?? false
  }

  open(): void {
    this.#ear.open()
  }

  close(): void {
    this.#isClosed = true
    this.#voice?.close()
    this.#ear.close()
    this.#pauses?.close()
  }

  hear(frame: Frame, { endsMs, level, echoDbm0 }: HeardFrame): void {
    if (this.#isClosed) return
    this.#voice ??= this.#makeVoice()
    const activity = this.#voice.push(frame.audio, endsMs, echoDbm0, level)
    if (activity?.type === 'speech_started') this.#onActivity(activity)
    this.#ear.push(frame, this.#isSpeaking, level)
    this.#pauses?.push(frame)
    if (activity?.type === 'speech_stopped') this.#onActivity(activity)
    for (const tone of this.#tones.push(frame.audio, level)) this.#machine.hear({ type: 'tone', tone })
  }

  #makeVoice(): VoiceActivity {
    const { carriesText, guard, speechDetector = null } = this.#options
    const detector = carriesText() ? null : speechDetector
    return new VoiceActivity(detector, (activity) => guard(() => this.#onActivity(activity)))
  }

  #onActivity(activity: Activity): void {
    const { dispatch, soundedMs } = this.#options
    this.#ownWords.activity(activity, soundedMs())
    this.#isSpeaking = activity.type === 'speech_started'
    dispatch(activity.type === 'speech_started' ? { ...activity, oursUntilMs: soundedMs() } : activity)
    this.#machine.hear(activity)
  }

  /** The carrier's own answering-machine detection. */
  carrierJudged(verdict: MachineVerdict): void {
    this.#machine.hear({ type: 'carrier', verdict })
  }

  /** The callee has heard this much of the agent's output. */
  said(text: string): void {
    this.#ownWords.said(text, this.#options.clock.nowMs())
  }

  finalize(): void {
    this.#finalizedMs = this.#options.clock.nowMs()
    this.#ear.finalize()
  }

  #earIsFinal(): void {
    const { clock, figures } = this.#options
    if (this.#finalizedMs !== null) figures.took('ear_final', clock.nowMs() - this.#finalizedMs)
    this.#finalizedMs = null
  }

  setLanguage(language: string): void {
    this.#ear.setLanguage(language)
  }

  /** The callee paused: is the turn over? */
  predict(pause: number, text: string): void {
    this.#pauses?.ask(pause, text)
  }

  /** The agent answers the callee. */
  conversing(): void {
    this.#machine.hear({ type: 'conversation' })
  }

  #onEar(event: Heard): void {
    const { clock, dispatch, order, onLanguage } = this.#options
    switch (event.type) {
      case 'words': {
        const own = { ...event, text: this.#ownWords.without(event.text, event.final, clock.nowMs()) }
        dispatch(own)
        return this.#machine.hear(own)
      }
      case 'settled':
        this.#ownWords.settled()
        this.#earIsFinal()
        return dispatch(event)
      case 'turn':
        return dispatch({ type: 'ear_turn', state: event.state })
      case 'language':
        return order.language === 'auto' ? onLanguage(event.language) : undefined
    }
  }
}
