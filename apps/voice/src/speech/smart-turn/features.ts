/** What smart-turn hears: the last 8 s at 16 kHz. */
export const RATE_HZ = 16_000
export const SAMPLES = 8 * RATE_HZ
export const MELS = 80
/** One every 10 ms. */
export const COLUMNS = 800

const WINDOW = 400
const HOP = 160
const BINS = WINDOW / 2 + 1
const FLOOR = 1e-10
/** In powers of ten below the loudest. */
const RANGE = 8

/** Periodic. */
const hann = Float64Array.from({ length: WINDOW }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / WINDOW))

/**
 * The log-mel spectrogram of Whisper's feature extractor for chunks of 8 s (Radford et al. 2022, section 2.2, with the
 * constants of its published code), of samples brought to mean 0 and variance 1, as smart-turn v3 was trained on it.
 * `samples`: SAMPLES numbers. Returns MELS rows of COLUMNS.
 */
export function logMel(samples: Float32Array): Float32Array {
  const padded = reflected(normalized(samples))
  const out = new Float32Array(MELS * COLUMNS)
  const power: [Float64Array, Float64Array] = [new Float64Array(BINS), new Float64Array(BINS)]
  let loudest = -Infinity
  for (let column = 0; column < COLUMNS; column += 2) {
    powers(padded, column * HOP, power)
    for (const half of [0, 1] as const) {
      for (let mel = 0; mel < MELS; mel++) {
        const value = Math.log10(Math.max(FLOOR, weighed(power[half], mel)))
        out[mel * COLUMNS + column + half] = value
        loudest = Math.max(loudest, value)
      }
    }
  }
  return out.map((value) => (Math.max(value, loudest - RANGE) + 4) / 4)
}

function normalized(samples: Float32Array): Float64Array {
  const mean = samples.reduce((sum, value) => sum + value, 0) / samples.length
  const variance = samples.reduce((sum, value) => sum + (value - mean) ** 2, 0) / samples.length
  const scale = 1 / Math.sqrt(variance + 1e-7)
  return Float64Array.from(samples, (value) => (value - mean) * scale)
}

/** Half a window at each end, mirrored. */
function reflected(samples: Float64Array): Float64Array {
  const half = WINDOW / 2
  const out = new Float64Array(samples.length + WINDOW)
  out.set(samples, half)
  for (let i = 0; i < half; i++) {
    out[half - 1 - i] = samples[i + 1] ?? 0
    out[half + samples.length + i] = samples[samples.length - 2 - i] ?? 0
  }
  return out
}

/** Two real windows are one complex transform: Cooley and Tukey with 400 = 16 * 25. */
const FIRST = 16
const SECOND = 25
const cosines = Float64Array.from({ length: WINDOW }, (_, i) => Math.cos((2 * Math.PI * i) / WINDOW))
const sines = Float64Array.from({ length: WINDOW }, (_, i) => Math.sin((2 * Math.PI * i) / WINDOW))
const innerRe = new Float64Array(WINDOW)
const innerIm = new Float64Array(WINDOW)
const outerRe = new Float64Array(WINDOW)
const outerIm = new Float64Array(WINDOW)

/** The power spectra of the windows at `from` and one hop later. */
function powers(samples: Float64Array, from: number, [one, two]: readonly [Float64Array, Float64Array]): void {
  // Over the index n = FIRST * a + b: for each b a transform over a, turned by b * p.
  for (let b = 0; b < FIRST; b++) {
    for (let p = 0; p < SECOND; p++) {
      let re = 0
      let im = 0
      for (let a = 0; a < SECOND; a++) {
        const n = FIRST * a + b
        const weight = hann[n] ?? 0
        const x = weight * (samples[from + n] ?? 0)
        const y = weight * (samples[from + HOP + n] ?? 0)
        const turn = (p * n) % WINDOW
        const cos = cosines[turn] ?? 0
        const sin = sines[turn] ?? 0
        re += x * cos + y * sin
        im += y * cos - x * sin
      }
      innerRe[b * SECOND + p] = re
      innerIm[b * SECOND + p] = im
    }
  }
  for (let p = 0; p < SECOND; p++) {
    for (let q = 0; q < FIRST; q++) {
      let re = 0
      let im = 0
      for (let b = 0; b < FIRST; b++) {
        const turn = (SECOND * q * b) % WINDOW
        const cos = cosines[turn] ?? 0
        const sin = sines[turn] ?? 0
        const x = innerRe[b * SECOND + p] ?? 0
        const y = innerIm[b * SECOND + p] ?? 0
        re += x * cos + y * sin
        im += y * cos - x * sin
      }
      outerRe[p + SECOND * q] = re
      outerIm[p + SECOND * q] = im
    }
  }
  for (let bin = 0; bin < BINS; bin++) {
    const mirror = (WINDOW - bin) % WINDOW
    const [re, im] = [outerRe[bin] ?? 0, outerIm[bin] ?? 0]
    const [mirrorRe, mirrorIm] = [outerRe[mirror] ?? 0, outerIm[mirror] ?? 0]
    one[bin] = ((re + mirrorRe) ** 2 + (im - mirrorIm) ** 2) / 4
    two[bin] = ((im + mirrorIm) ** 2 + (mirrorRe - re) ** 2) / 4
  }
}

/** Slaney's mel scale: linear to 1 kHz, 27 logarithmic steps for each factor of 6.4 above. */
const LINEAR_HZ = 200 / 3
const BREAK_HZ = 1000
const BREAK_MEL = BREAK_HZ / LINEAR_HZ
const STEP = Math.log(6.4) / 27
const melOf = (hz: number) => (hz < BREAK_HZ ? hz / LINEAR_HZ : BREAK_MEL + Math.log(hz / BREAK_HZ) / STEP)
const hzOf = (mel: number) => (mel < BREAK_MEL ? mel * LINEAR_HZ : BREAK_HZ * Math.exp(STEP * (mel - BREAK_MEL)))

/** A triangle of each band, of area 1 (Slaney), over the bins from `from` on. */
const filters = Array.from({ length: MELS }, (_, mel) => {
  const edge = (at: number) => hzOf((melOf(RATE_HZ / 2) * at) / (MELS + 1))
  const [low, middle, high] = [edge(mel), edge(mel + 1), edge(mel + 2)]
  const weights = Array.from({ length: BINS }, (_bin, bin) => {
    const hz = (bin * RATE_HZ) / WINDOW
    const height = Math.max(0, Math.min((hz - low) / (middle - low), (high - hz) / (high - middle)))
    return (2 * height) / (high - low)
  })
  const from = weights.findIndex((weight) => weight > 0)
  const to = weights.findLastIndex((weight) => weight > 0)
  return { from: Math.max(0, from), weights: Float64Array.from(weights.slice(Math.max(0, from), to + 1)) }
})

function weighed(power: Float64Array, mel: number): number {
  const filter = filters[mel]
  if (!filter) return 0
  let sum = 0
  for (let i = 0; i < filter.weights.length; i++) sum += (filter.weights[i] ?? 0) * (power[filter.from + i] ?? 0)
  return sum
}
