import {
  beep,
  type Clock,
  faxCalled,
  type Frame,
  FRAME_BYTES,
  FRAME_MS,
  SILENCE_BYTE,
  sines,
  voiceShape,
} from '@parley/voice-ports'
import { Callee } from '../network/callee.ts'
import type { CalleeDoes, FarParty } from '../network/leg.ts'
import { beepsIn, type Persona } from '../network/persona.ts'
import { noiseMixer, type Speak } from '../network/sound.ts'
import { synthesize } from '../speech/synthetic.ts'

/** Twilio's verdicts of answering-machine detection; null: it comes to none before its time-out. */
export type AnsweredBy = 'human' | 'machine_start' | 'machine_end_beep' | 'machine_end_silence' | 'fax' | 'unknown'

/** The phone that answered: signal aborts with the call. */
export interface Line {
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** What a dialed phone does. Times are from ringing, or from dialing where it does not ring. */
export type Pickup =
  | { readonly type: 'busy' }
  /** The network gives up after this; without it, when the caller's Timeout is over. */
  | { readonly type: 'no_answer'; readonly afterMs?: number }
  /** Does not ring: 404, 480, 503 and so on. */
  | { readonly type: 'fails'; readonly sipCode: number }
  | {
      readonly type: 'answers'
      readonly afterMs?: number
      readonly party: (line: Line) => FarParty
      /** The verdict on request; by default human. */
      readonly answeredBy?: AnsweredBy
    }

const nothing: CalleeDoes = { frame: null, digits: '', ends: null }

/** Hears everything and says nothing. */
export const silent = (): FarParty => ({ press: () => undefined, tick: () => nothing })

/** Returns what it hears, later. */
export function echo(delayMs = 200): FarParty {
  const delayed: (Frame | null)[] = Array.from({ length: Math.max(1, Math.round(delayMs / FRAME_MS)) }, () => null)
  let digits = ''
  return {
    press: (digit) => void (digits += digit),
    tick(_, heard) {
      delayed.push(heard)
      const pressed = digits
      digits = ''
      return { frame: delayed.shift() ?? null, digits: pressed, ends: null }
    },
  }
}

/** One steady sine. */
export function tone(hz: number, dbm0 = -13): FarParty {
  // A second holds a whole number of periods of every whole frequency.
  return loop(sines([hz], 1000, dbm0))
}

/** Hangs up so long after the answer. */
export function hangsUpAfter(ms: number, inner = silent()): FarParty {
  let endsMs: number | null = null
  return {
    press: (digit) => inner.press(digit),
    tick(nowMs, heard) {
      endsMs ??= nowMs + ms
      return nowMs >= endsMs ? { ...nothing, ends: 'remote' } : inner.tick(nowMs, heard)
    },
  }
}

/** A greeting, a beep, then it listens. */
export function machine({
  greeting = 'You have reached the mailbox. Leave a message after the tone.',
  beepMs = 400,
} = {}) {
  const { audio } = synthesize(greeting, voiceShape('professional'))
  const signal = beep(beepMs)
  const frames = cut(Uint8Array.from([...audio, ...signal]))
  let at = 0
  const party: FarParty = {
    press: () => undefined,
    tick() {
      const frame = frames[at++] ?? null
      return { frame, digits: '', ends: null, beeped: at === frames.length }
    },
  }
  return party
}

/** The tone of a fax machine that answers. */
export const fax = (): FarParty => loop(faxCalled(1000))

/** What a callee heard, by the time it was played. */
export interface Recorder extends FarParty {
  readonly heard: readonly { readonly audio: Uint8Array; readonly atMs: number }[]
  readonly digits: readonly { readonly digit: string; readonly atMs: number }[]
}

const HEARD_MAX = 50 * 600

/** Keeps ten minutes of what is heard, silence between frames left out; says what `inner` says. */
export function recorder(inner = silent()): Recorder {
  const heardFrames: { audio: Uint8Array; atMs: number }[] = []
  const digits: { digit: string; atMs: number }[] = []
  let pressed = ''
  return {
    heard: heardFrames,
    digits,
    press(digit) {
      pressed += digit
      inner.press(digit)
    },
    tick(nowMs, heard) {
      for (const digit of pressed) if (digits.length < HEARD_MAX) digits.push({ digit, atMs: nowMs })
      pressed = ''
      if (heard && heardFrames.length < HEARD_MAX) heardFrames.push({ audio: heard.audio, atMs: nowMs })
      return inner.tick(nowMs, heard)
    },
  }
}

/** The callee of the simulated network whose number it is: sound alone, no text beside it. */
export function pickupOf(persona: Persona, speak: Speak, ringMs: number | null): Pickup {
  const { pickup } = persona
  switch (pickup.type) {
    case 'busy':
    case 'no_answer':
      return pickup
    case 'by_hand':
      return { type: 'no_answer' }
    case 'not_in_service':
      return { type: 'fails', sipCode: 404 }
    case 'answers':
      return {
        type: 'answers',
        afterMs: ringMs ?? pickup.afterMs,
        answeredBy: verdictOn(persona),
        party: ({ clock, signal }) => noisy(new Callee(persona, speak, signal, clock.nowMs())),
      }
  }
}

function verdictOn(persona: Persona): AnsweredBy {
  if (persona.scenes.first.manners === 'person') return 'human'
  return beepsIn(persona) ? 'machine_start' : 'unknown'
}

/** With the noise of a phone connection. */
function noisy(inner: FarParty): FarParty {
  const addNoise = noiseMixer(Math.random())
  return {
    press: (digit) => inner.press(digit),
    tick(nowMs, heard) {
      const did = inner.tick(nowMs, heard)
      return { ...did, frame: { audio: addNoise(did.frame).audio } }
    },
  }
}

function loop(audio: Uint8Array): FarParty {
  const frames = cut(audio)
  let at = 0
  return { press: () => undefined, tick: () => ({ ...nothing, frame: frames[at++ % frames.length] ?? null }) }
}

/** Frames of a sound, the last filled up with silence. */
export function cut(audio: Uint8Array): Frame[] {
  return Array.from({ length: Math.ceil(audio.length / FRAME_BYTES) }, (_, at) => {
    const part = audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES)
    if (part.length === FRAME_BYTES) return { audio: part }
    const filled = new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE)
    filled.set(part)
    return { audio: filled }
  })
}
