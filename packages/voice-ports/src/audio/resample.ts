/**
 * Resamples with a windowed-sinc low-pass in polyphase form, which keeps frequencies above the new band from aliasing.
 * The filter is symmetric, so a stream lags by half its length: about 2 ms at 22050 → 8000.
 */
const ZERO_CROSSINGS = 16
/** Of the lower rate's half; what remains is the filter's slope. */
const PASSBAND = 0.93
const KAISER_BETA = 6.5

export interface Resampler {
  push(samples: ArrayLike<number>): Int16Array
  /** The remaining samples, as if silence followed. */
  flush(): Int16Array
}

interface Filter {
  readonly up: number
  readonly down: number
  readonly half: number
  /** For each phase, the weights of 2 * half neighbouring input samples. */
  readonly phases: readonly Float64Array[]
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))

function besselI0(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function design(fromHz: number, toHz: number): Filter {
  const common = gcd(fromHz, toHz)
  const up = toHz / common
  const cutoff = Math.min(1, toHz / fromHz) * PASSBAND
  const half = Math.ceil(ZERO_CROSSINGS / cutoff)
  const weight = (distance: number) => {
    if (Math.abs(distance) >= half) return 0
    const x = Math.PI * cutoff * distance
    const sinc = distance === 0 ? 1 : Math.sin(x) / x
    return cutoff * sinc * (besselI0(KAISER_BETA * Math.sqrt(1 - (distance / half) ** 2)) / besselI0(KAISER_BETA))
  }
  const phases = Array.from({ length: up }, (_, phase) => {
    const weights = Float64Array.from({ length: 2 * half }, (_, tap) => weight(tap - half + 1 - phase / up))
    const sum = weights.reduce((a, b) => a + b, 0)
    return weights.map((w) => w / sum)
  })
  return { up, down: fromHz / common, half, phases }
}

/** Formats use few pairs of rates, so every filter is kept. */
const filters = new Map<string, Filter>()
function filterFor(fromHz: number, toHz: number): Filter {
  const key = `${fromHz}:${toHz}`
  const filter = filters.get(key) ?? design(fromHz, toHz)
  filters.set(key, filter)
  return filter
}

const clip = (value: number) => Math.max(-32768, Math.min(32767, Math.round(value)))

export function createResampler(fromHz: number, toHz: number): Resampler {
  const { up, down, half, phases } = filterFor(fromHz, toHz)
  // `held` begins half - 1 samples before the next output's place; silence stands before the first sample.
  let held = new Float64Array(half - 1)
  let phase = 0
  let taken = 0
  let given = 0

  const push = (samples: ArrayLike<number>): Int16Array => {
    const input = new Float64Array(held.length + samples.length)
    input.set(held)
    input.set(samples, held.length)
    const output = new Int16Array(Math.ceil((input.length * up) / down) + 1)
    let count = 0
    let at = 0
    while (at + 2 * half <= input.length) {
      const weights = phases[phase] ?? new Float64Array(0)
      let sum = 0
      for (let tap = 0; tap < weights.length; tap++) sum += (weights[tap] ?? 0) * (input[at + tap] ?? 0)
      output[count++] = clip(sum)
      phase += down
      at += Math.floor(phase / up)
      phase %= up
    }
    held = input.slice(at)
    taken += samples.length
    given += count
    return output.subarray(0, count)
  }

  return {
    push,
    flush() {
      const due = Math.floor((taken * up) / down) - given
      return push(new Float64Array(2 * half)).subarray(0, Math.max(0, due))
    },
  }
}

/** Resamples a whole recording. */
export function resample(samples: ArrayLike<number>, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return Int16Array.from(samples)
  const resampler = createResampler(fromHz, toHz)
  const head = resampler.push(samples)
  const tail = resampler.flush()
  const all = new Int16Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}
