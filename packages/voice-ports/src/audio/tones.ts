import { SAMPLE_RATE_HZ } from './frame.ts'
import { decodeMulawInto, encodeMulaw, levelDbm0, peakOfDbm0 } from './mulaw.ts'

/**
 * Makes and detects the tones of the telephone network. Detects with Goertzel's filter: one spectral bin for one
 * multiplication a sample.
 */
export type ToneEvent =
  | { readonly type: 'digit'; readonly digit: string }
  /** A single tone has ended, as of a recorder that is now listening. */
  | { readonly type: 'beep' }
  | { readonly type: 'ringback' }
  | { readonly type: 'busy' }
  /** Three rising tones before a network's announcement. */
  | { readonly type: 'special_information' }
  /** calling: a fax machine that dialed (CNG). called: one that answered (CED). */
  | { readonly type: 'fax'; readonly side: 'calling' | 'called' }

export interface ToneDetector {
  /** Mu-law of any length; its level in dBm0 where that is known. */
  push(audio: Uint8Array, level?: number): readonly ToneEvent[]
}

const TONE_DBM0 = -13
/** Below this level no tone is looked for. */
const FLOOR_DBM0 = -40

const ROWS_HZ = [697, 770, 852, 941]
const COLUMNS_HZ = [1209, 1336, 1477, 1633]
const KEYS = '123A456B789C*0#D'
const INFORMATION_HZ = [950, 1400, 1800]
const INFORMATION_MS = 330
const FAX_CALLING_HZ = 1100
const FAX_CALLED_HZ = 2100
const RINGBACK_HZ = [440, 480]
const BUSY_HZ = [480, 620]
const EUROPE_HZ = [425]

/** Mu-law of these sines together, each at the given level. */
export function sines(frequenciesHz: readonly number[], ms: number, dbm0 = TONE_DBM0): Uint8Array {
  const peak = peakOfDbm0(dbm0)
  const samples = Float64Array.from({ length: Math.round((ms * SAMPLE_RATE_HZ) / 1000) }, (_, i) =>
    frequenciesHz.reduce((sum, hz) => sum + peak * Math.sin((2 * Math.PI * hz * i) / SAMPLE_RATE_HZ), 0),
  )
  return encodeMulaw(samples)
}

const pause = (ms: number) => sines([], ms)

function joined(...chunks: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0)
  return all
}

/** A tone on and off, beginning with on, for `ms` in all. */
function cadence(frequenciesHz: readonly number[], onMs: number, offMs: number, ms: number): Uint8Array {
  const period = joined(sines(frequenciesHz, onMs), pause(offMs))
  const times = Math.ceil(ms / (onMs + offMs))
  return joined(...Array.from({ length: times }, () => period)).subarray(0, Math.round((ms * SAMPLE_RATE_HZ) / 1000))
}

export const beep = (ms: number, hz = 1000) => sines([hz], ms)
export const ringback = (ms: number, region: 'america' | 'europe' = 'america') =>
  region === 'america' ? cadence(RINGBACK_HZ, 2000, 4000, ms) : cadence(EUROPE_HZ, 1000, 4000, ms)
export const busy = (ms: number, region: 'america' | 'europe' = 'america') =>
  cadence(region === 'america' ? BUSY_HZ : EUROPE_HZ, 500, 500, ms)
export const specialInformation = () => joined(...INFORMATION_HZ.map((hz) => sines([hz], INFORMATION_MS)), pause(200))
export const faxCalling = () => sines([FAX_CALLING_HZ], 500)
export const faxCalled = (ms = 3000) => sines([FAX_CALLED_HZ], ms)

/** DTMF tones, one key after the other. Any other character is a pause of half a second, like the dialing comma. */
export function digitTones(digits: string, onMs = 100, offMs = 100): Uint8Array {
  return joined(
    ...digits.split('').map((digit) => {
      const key = KEYS.indexOf(digit.toUpperCase())
      if (key < 0) return pause(500)
      return joined(sines([ROWS_HZ[key >> 2] ?? 0, COLUMNS_HZ[key & 3] ?? 0], onMs), pause(offMs))
    }),
  )
}

/** The share of the samples' energy at a frequency: 1 for a pure sine of any level. */
function shareAt(samples: Int16Array, hz: number, energy = energyOf(samples)): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ)
  let before = 0
  let last = 0
  for (let i = 0; i < samples.length; i++) {
    const next = (samples[i] ?? 0) + coefficient * last - before
    before = last
    last = next
  }
  const power = last * last + before * before - coefficient * last * before
  return energy === 0 ? 0 : (2 * power) / (samples.length * energy)
}

function energyOf(samples: Int16Array): number {
  let energy = 0
  for (let i = 0; i < samples.length; i++) energy += (samples[i] ?? 0) ** 2
  return energy
}

interface Sine {
  readonly hz: number
  /** Sum of squares of the samples. */
  readonly energy: number
}

/** The halves of a tone agree on its frequency; those of speech seldom do. */
const HALVES_APART_HZ = 60

/**
 * The one frequency that these samples would have if they were a sine: its samples obey x[n+1] + x[n-1] = 2 cos(w)
 * x[n]. Null: they are too faint, or certainly no single tone.
 */
function sineIn(samples: Int16Array): Sine | null {
  const middle = samples.length >> 1
  let around = 0
  let own = 0
  let firstAround = 0
  let firstOwn = 0
  let before = samples[0] ?? 0
  let x = samples[1] ?? 0
  let energy = before * before
  for (let i = 2; i < samples.length; i++) {
    const next = samples[i] ?? 0
    around += x * (before + next)
    own += x * x
    before = x
    x = next
    if (i === middle) {
      firstAround = around
      firstOwn = own
    }
  }
  energy += own + x * x
  if (!loudEnough(energy, samples.length)) return null
  const apartHz = hzOf(firstAround, firstOwn) - hzOf(around - firstAround, own - firstOwn)
  return Math.abs(apartHz) > HALVES_APART_HZ ? null : { hz: hzOf(around, own), energy }
}

function hzOf(around: number, own: number): number {
  return own === 0 ? 0 : (Math.acos(Math.max(-1, Math.min(1, around / (2 * own)))) * SAMPLE_RATE_HZ) / (2 * Math.PI)
}

/** The frequency of the single tone in these samples; most voices lie below all signals. */
function signalIn(samples: Int16Array): number | null {
  const sine = sineIn(samples)
  if (sine === null || sine.hz < 380 || sine.hz > 2500) return null
  return shareAt(samples, sine.hz, sine.energy) > 0.92 ? sine.hz : null
}

const NOTHING: readonly ToneEvent[] = []
/** Takes mu-law of any length. */
type Finder = (audio: Uint8Array) => readonly ToneEvent[]
type See = (samples: Int16Array) => readonly ToneEvent[]

/** What spares most windows: while idle, `every`th one tells whether those since the last need to be seen. */
interface Sparing {
  readonly every: number
  readonly isIdle: () => boolean
  readonly mayMatter: (samples: Int16Array) => boolean
}

/** The samples of a window, by its size: windows are looked at one after the other, so all legs share them. */
const SAMPLES = new Map<number, Int16Array>()

function samplesOf(size: number): Int16Array {
  const samples = SAMPLES.get(size) ?? new Int16Array(size)
  SAMPLES.set(size, samples)
  return samples
}

/** Overlapping windows over a stream: `size` samples every `hop`, in one reused buffer. */
function windows(size: number, hop: number, see: See, sparing?: Sparing): Finder {
  const held = new Uint8Array(size + ((sparing?.every ?? 1) - 1) * hop)
  const samples = samplesOf(size)
  let filled = 0
  const window = (from: number) => {
    decodeMulawInto(held, samples, from)
    return samples
  }
  /** How many of the windows that are held can be passed on now. */
  const due = () => {
    const whole = Math.floor((filled - size) / hop) + 1
    if (!sparing?.isIdle()) return { seen: whole, passed: whole }
    if (whole < sparing.every) return { seen: 0, passed: 0 }
    return { seen: sparing.mayMatter(window(filled - size)) ? whole : 0, passed: whole }
  }
  return (audio) => {
    let events = NOTHING
    for (let at = 0; at < audio.length;) {
      const taken = Math.min(held.length - filled, audio.length - at)
      held.set(taken === audio.length ? audio : audio.subarray(at, at + taken), filled)
      filled += taken
      at += taken
      if (filled < size) break
      const { seen, passed } = due()
      for (let index = 0; index < seen; index++) {
        const found = see(window(index * hop))
        if (found.length > 0) events = [...events, ...found]
      }
      if (passed > 0) held.copyWithin(0, passed * hop, filled)
      filled -= passed * hop
    }
    return events
  }
}

const loudEnough = (energy: number, length: number) => energy / length > peakOfDbm0(FLOOR_DBM0) ** 2 / 2

function strongest(shares: readonly number[]): { readonly at: number; readonly share: number; readonly next: number } {
  const at = shares.indexOf(Math.max(...shares))
  const rest = shares.filter((_, i) => i !== at)
  return { at, share: shares[at] ?? 0, next: Math.max(...rest) }
}

/** The DTMF key in these samples, or null: two tones hold the energy, about equally, and no others do. */
function keyIn(samples: Int16Array): string | null {
  const energy = energyOf(samples)
  if (!loudEnough(energy, samples.length)) return null
  const row = strongest(ROWS_HZ.map((hz) => shareAt(samples, hz, energy)))
  if (row.share < 0.05) return null
  const column = strongest(COLUMNS_HZ.map((hz) => shareAt(samples, hz, energy)))
  const twistDb = 10 * Math.log10(column.share / row.share)
  const clear = row.share > 6 * row.next && column.share > 6 * column.next
  const fits = row.share + column.share > 0.75 && twistDb > -9 && twistDb < 6
  return clear && fits ? (KEYS[row.at * 4 + column.at] ?? null) : null
}

function digitFinder() {
  let hits = 0
  let key: string | null = null
  return windows(205, 160, (samples) => {
    const now = keyIn(samples)
    hits = now !== null && now === key ? hits + 1 : 1
    key = now
    return now !== null && hits === 2 ? [{ type: 'digit', digit: now }] : NOTHING
  })
}

/** A stretch of one steady frequency. */
interface Run {
  readonly hz: number
  count: number
}

const HOP_MS = 20
const near = (hz: number, other: number, within: number) => Math.abs(hz - other) <= within
const BEEP_WINDOWS = 5
/** A longer tone is for machines, not a signal to speak. */
const BEEP_MAX_MS = 2000
const FAX_CALLED_MS = 1000

/** Windows within which the second of the three tones must begin. */
const NEXT_TONE_WINDOWS = 4

function singleToneFinder() {
  let run: Run | null = null
  /** Number of the three rising tones heard in order. */
  let rising = 0
  let sinceRising = 0

  /** Classifies a stretch at its end. */
  const conclude = ({ hz, count }: Run): readonly ToneEvent[] => {
    const ms = count * HOP_MS
    const step = INFORMATION_HZ.findIndex((tone) => near(hz, tone, 50))
    if (step >= 0 && ms >= 200 && ms <= 460 && (step === 0 || step === rising)) {
      rising = step + 1
      sinceRising = 0
      if (rising < INFORMATION_HZ.length) return []
      rising = 0
      return [{ type: 'special_information' }]
    }
    if (count < BEEP_WINDOWS || ms > BEEP_MAX_MS || near(hz, EUROPE_HZ[0] ?? 0, 15)) return []
    if (near(hz, FAX_CALLING_HZ, 25) && ms >= 420 && ms <= 600) return [{ type: 'fax', side: 'calling' }]
    return near(hz, FAX_CALLED_HZ, 25) ? [] : [{ type: 'beep' }]
  }

  /** A first tone without a second one was a beep at the same pitch. */
  const expire = (): readonly ToneEvent[] => {
    if (rising === 0 || run || ++sinceRising < NEXT_TONE_WINDOWS) return NOTHING
    const wasBeep = rising === 1
    rising = 0
    return wasBeep ? [{ type: 'beep' }] : []
  }

  const see: See = (samples) => {
    const hz = signalIn(samples)
    if (hz !== null && run && near(hz, run.hz, 20)) {
      run.count++
      return near(hz, FAX_CALLED_HZ, 25) && run.count * HOP_MS === FAX_CALLED_MS
        ? [{ type: 'fax', side: 'called' }]
        : NOTHING
    }
    const events = run ? conclude(run) : NOTHING
    run = hz === null ? null : { hz, count: 1 }
    const late = expire()
    return events.length === 0 ? late : [...events, ...late]
  }
  // Shorter runs than a beep's mean nothing.
  const every = BEEP_WINDOWS - 1
  const mayMatter = (samples: Int16Array) => signalIn(samples) !== null
  return windows(240, 160, see, { every, isIdle: () => !run && rising === 0, mayMatter })
}

/** Ringback and busy tones differ by frequency in America and only by rhythm in Europe. */
function progressFinder() {
  let on = 0
  let off = 0
  let shortTones = 0

  const kindOf = (samples: Int16Array): 'ringback' | 'busy' | 'either' | null => {
    const energy = energyOf(samples)
    if (!loudEnough(energy, samples.length)) return null
    const holds = (tones: readonly number[]) => {
      const shares = tones.map((hz) => shareAt(samples, hz, energy))
      return shares.every((share) => share > 0.15) && shares.reduce((a, b) => a + b, 0) > 0.8
    }
    return holds(RINGBACK_HZ) ? 'ringback' : holds(BUSY_HZ) ? 'busy' : holds(EUROPE_HZ) ? 'either' : null
  }

  return windows(800, 800, (samples) => {
    const kind = kindOf(samples)
    if (kind) {
      if (on === 0 && off > 7) shortTones = 0
      on++
      off = 0
      return on === 9 && kind !== 'busy' ? [{ type: 'ringback' }] : NOTHING
    }
    if (on > 0) shortTones = on <= 6 ? shortTones + 1 : 0
    const engaged = on > 0 && shortTones === 2
    on = 0
    off++
    return engaged ? [{ type: 'busy' }] : NOTHING
  })
}

const FINDERS = { digits: digitFinder, single: singleToneFinder, progress: progressFinder }
/** After so many quiet bytes the windows of a finder have run empty. */
const EMPTY_AFTER = { digits: 0.1 * SAMPLE_RATE_HZ, single: 0.2 * SAMPLE_RATE_HZ, progress: SAMPLE_RATE_HZ }
type Kind = keyof typeof FINDERS
const EVERY_KIND: readonly Kind[] = ['digits', 'single', 'progress']

/**
 * Detects the tones of one leg: digits after 40 ms, a beep at its end. Fewer kinds cost less; `single` covers beeps,
 * fax machines and special information tones.
 */
export function createToneDetector(kinds = EVERY_KIND): ToneDetector {
  return new Finders(kinds)
}

class Finders implements ToneDetector {
  readonly #finders: readonly Finder[]
  readonly #emptyAfter: number
  #quietBytes = 0

  constructor(kinds: readonly Kind[]) {
    this.#finders = kinds.map((kind) => FINDERS[kind]())
    this.#emptyAfter = Math.max(...kinds.map((kind) => EMPTY_AFTER[kind]))
  }

  push(audio: Uint8Array, level = levelDbm0(audio)): readonly ToneEvent[] {
    this.#quietBytes = level > FLOOR_DBM0 - 6 ? 0 : this.#quietBytes + audio.length
    if (this.#quietBytes > this.#emptyAfter) return NOTHING
    let events = NOTHING
    for (const find of this.#finders) {
      const found = find(audio)
      if (found.length > 0) events = [...events, ...found]
    }
    return events
  }
}
