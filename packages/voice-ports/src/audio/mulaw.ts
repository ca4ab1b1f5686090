/** G.711 mu-law: 14 bits of dynamic range in 8. Linear samples here have 16 bits. */
const BIAS = 132
const CLIP = 32635
/** Full-scale mu-law is +3.17 dBm0, so 0 dBm0 is a sine of this root mean square. */
const DBM0_RMS = 15768

/** The linear value of each code. */
const LINEAR = Int16Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const magnitude = (((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4)
  return bits & 0x80 ? BIAS - magnitude : magnitude - BIAS
})

/** The energy of a sample of each code. */
const ENERGIES = Float64Array.from(LINEAR, (value) => value * value)

/** The code of each 16-bit value. */
const CODES = Uint8Array.from({ length: 65536 }, (_, index) => {
  const value = index - 32768
  const sign = value < 0 ? 0x80 : 0
  const magnitude = Math.min(Math.abs(value), CLIP) + BIAS
  const segment = 24 - Math.clz32(magnitude)
  return ~(sign | (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f)) & 0xff
})

export function decodeSample(code: number): number {
  return LINEAR[code & 0xff] ?? 0
}

export function encodeSample(value: number): number {
  const clipped = value > 32767 ? 32767 : value < -32768 ? -32768 : Math.round(value)
  return CODES[clipped + 32768] ?? 0xff
}

export function decodeMulaw(audio: Uint8Array): Int16Array {
  const samples = new Int16Array(audio.length)
  for (let i = 0; i < audio.length; i++) samples[i] = decodeSample(audio[i] ?? 0xff)
  return samples
}

/** Decodes into samples that exist, from a byte on: at most as many as fit. */
export function decodeMulawInto(audio: Uint8Array, samples: Int16Array, from = 0): void {
  const count = Math.min(audio.length - from, samples.length)
  for (let i = 0; i < count; i++) samples[i] = LINEAR[audio[from + i] ?? 0xff] ?? 0
}

export function encodeMulaw(samples: ArrayLike<number>): Uint8Array {
  const audio = new Uint8Array(samples.length)
  for (let i = 0; i < samples.length; i++) audio[i] = encodeSample(samples[i] ?? 0)
  return audio
}

/** Mixes two sounds. The result is as long as `base`. */
export function mixMulaw(base: Uint8Array, other: Uint8Array): Uint8Array {
  const mixed = new Uint8Array(base.length)
  for (let i = 0; i < base.length; i++)
    mixed[i] = encodeSample(decodeSample(base[i] ?? 0xff) + decodeSample(other[i] ?? 0xff))
  return mixed
}

/** Level in dBm0; -Infinity for digital silence. */
export function levelDbm0(audio: Uint8Array): number {
  // Four sums that do not wait for each other: each frame of each call comes through here.
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  const { length } = audio
  let i = 0
  for (; i + 3 < length; i += 4) {
    first += ENERGIES[audio[i] ?? 0] ?? 0
    second += ENERGIES[audio[i + 1] ?? 0] ?? 0
    third += ENERGIES[audio[i + 2] ?? 0] ?? 0
    fourth += ENERGIES[audio[i + 3] ?? 0] ?? 0
  }
  for (; i < length; i++) first += ENERGIES[audio[i] ?? 0] ?? 0
  return 10 * Math.log10((first + second + third + fourth) / length / DBM0_RMS ** 2)
}

/** The peak of a sine that is this loud. */
export function peakOfDbm0(dbm0: number): number {
  return DBM0_RMS * Math.SQRT2 * 10 ** (dbm0 / 20)
}
