import {
  type Carrier,
  type Clock,
  encodeMulaw,
  type Frame,
  FRAME_BYTES,
  FRAME_MS,
  type Leg,
  type LegEvent,
  levelDbm0,
  mixMulaw,
  peakOfDbm0,
  SILENCE_BYTE,
  type Ticker,
} from '@parley/voice-ports'
import { synthesize } from '@parley/sandbox'

/** Callees with prepared audio, which listen only for whether the agent speaks. */

const VOICE = { variant: 'm1', pitch: 50, wordsPerMinute: 165 }
const NOISE_DBM0 = -60
const SPEECH_DBM0 = -38
/** ms of the agent's silence, or of no answer, after which the callee speaks again. */
const PAUSE_MS = 700
const PATIENCE_MS = 5000
const RING_MS = 50

/** Speech frames with noise, from the first loud one to the last, each with the words that end in it. */
export function spokenFrames(text: string): Frame[] {
  const { audio, words } = synthesize(text, VOICE)
  const sounds = Array.from({ length: Math.ceil(audio.length / FRAME_BYTES) }, (_, at) => {
    const own = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
    own.set(audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES))
    return mixMulaw(own, noise[at % noise.length] ?? own)
  })
  const isLoud = (sound: Uint8Array) => levelDbm0(sound) > SPEECH_DBM0
  const first = sounds.findIndex(isLoud)
  const last = sounds.findLastIndex(isLoud)
  return sounds.slice(first, last + 1).map((sound, at) => {
    const ended = words.filter(({ endMs }) => Math.min(last, Math.ceil(endMs / FRAME_MS) - 1) === first + at)
    return ended.length === 0 ? { audio: sound } : { audio: sound, text: ended.map((word) => word.text).join(' ') }
  })
}

const noise: readonly Uint8Array[] = Array.from({ length: 50 }, () =>
  encodeMulaw(Float64Array.from({ length: FRAME_BYTES }, () => (Math.random() - 0.5) * 2 * peakOfDbm0(NOISE_DBM0))),
)

/** The agent's voice: whole sentences, made once and reused. */
export function madeSpeech(text: string) {
  return synthesize(text, VOICE)
}

export interface CalleeOptions {
  /** Played in turn, repeatedly. */
  readonly utterances: readonly (readonly Frame[])[]
  /** Interrupts this many ms after the agent began, instead of waiting for its end. */
  readonly interruptsAfterMs?: number
}

/** Callbacks of one call, in wall-clock ms. */
export interface Watch {
  answered?(atMs: number): void
  frameIn?(atMs: number): void
  frameOut?(atMs: number, frame: Frame): void
  /** The first and the last frame of an utterance. */
  calleeStopped?(atMs: number, utterance: readonly Frame[]): void
  calleeStarted?(atMs: number): void
  ended?(): void
}

const wallMs = () => performance.now()

export function benchCarrier(ticker: Ticker, { utterances, interruptsAfterMs }: CalleeOptions, watch: Watch): Carrier {
  return {
    name: 'bench',
    dial: (_, clock, onEvent) =>
      benchLeg(clock, ticker, onEvent, { utterances, ...(interruptsAfterMs && { interruptsAfterMs }) }, watch),
    ask: () => Promise.resolve(null),
    hangUp: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

const RINGS: readonly LegEvent[] = [{ type: 'placed', carrierCallId: 'bench' }, { type: 'ringing' }]
const ANSWERS: readonly LegEvent[] = [{ type: 'answered' }, { type: 'media', state: 'up' }]
const ENDS: readonly LegEvent[] = [
  { type: 'hung_up' },
  { type: 'ended', cause: 'local', connectedMs: 0, code: null, cost: null },
]

const SOUND_ALONE: Pick<Leg, 'capabilities' | 'sendDigits' | 'transfer'> = {
  capabilities: {
    playout: 'ours',
    text: true,
    digits: false,
    transfer: false,
    machineDetection: false,
    silence: 'left_out',
  },
  sendDigits: () => undefined,
  transfer: () => undefined,
}

type OnEvent = (event: LegEvent) => void

function benchLeg(clock: Clock, ticker: Ticker, onEvent: OnEvent, callee: CalleeOptions, watch: Watch): Leg {
  const marks: string[] = []
  let utterance: readonly Frame[] | null = null
  let at = 0
  let turns = 0
  let beats = 0
  let agentSpokeAt = -Infinity
  let agentBeganAt = -Infinity
  let quietAt = 0
  let over = false
  let leave = () => {}

  const isTurn = (nowMs: number): boolean => {
    const agentSpeaks = nowMs - agentSpokeAt < 100
    if (callee.interruptsAfterMs !== undefined) return agentSpeaks && nowMs - agentBeganAt >= callee.interruptsAfterMs
    return agentSpokeAt > quietAt ? nowMs - agentSpokeAt >= PAUSE_MS : nowMs - quietAt >= PATIENCE_MS
  }

  const next = (nowMs: number): Frame => {
    if (!utterance && isTurn(nowMs)) {
      utterance = callee.utterances[turns++ % callee.utterances.length] ?? null
      at = 0
      watch.calleeStarted?.(wallMs())
    }
    const frame = utterance?.[at++]
    if (frame && utterance && at === utterance.length) {
      watch.calleeStopped?.(wallMs(), utterance)
      utterance = null
      quietAt = nowMs
    }
    return frame ?? { audio: noise[beats % noise.length] ?? new Uint8Array(FRAME_BYTES) }
  }

  const beat = (): void => {
    beats++
    for (const name of marks.splice(0)) onEvent({ type: 'mark', name })
    watch.frameIn?.(wallMs())
    onEvent({ type: 'frame', frame: next(clock.nowMs()), mediaMs: (beats - 1) * FRAME_MS })
  }

  clock.after(0, () => RINGS.forEach(onEvent))
  clock.after(RING_MS, () => {
    if (over) return
    quietAt = clock.nowMs()
    watch.answered?.(wallMs())
    ANSWERS.forEach(onEvent)
    leave = ticker.join(beat)
  })
  return {
    ...SOUND_ALONE,
    send(frame) {
      const nowMs = clock.nowMs()
      if (levelDbm0(frame.audio) > -50) {
        if (nowMs - agentSpokeAt > PAUSE_MS) agentBeganAt = nowMs
        agentSpokeAt = nowMs
      }
      watch.frameOut?.(wallMs(), frame)
    },
    mark: (name) => void marks.push(name),
    clear: () => void (marks.length = 0),
    hangUp() {
      if (over) return
      over = true
      leave()
      clock.after(0, () => ENDS.forEach(onEvent))
      watch.ended?.()
    },
  }
}
