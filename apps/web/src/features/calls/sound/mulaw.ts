/** G.711 mu-law; samples are between -1 and 1. */
const BIAS = 132
const CLIP = 32_635

const LINEAR = Float32Array.from({ length: 256 }, (_, code) => {
  const bits = ~code & 0xff
  const magnitude = (((bits & 0x0f) << 3) + BIAS) << ((bits & 0x70) >> 4)
  return (bits & 0x80 ? BIAS - magnitude : magnitude - BIAS) / 32_768
})

export function decodeMulaw(audio: Uint8Array): Float32Array<ArrayBuffer> {
  return Float32Array.from(audio, (code) => LINEAR[code] ?? 0)
}

export function encodeMulaw(samples: Float32Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(samples, (sample) => {
    const sign = sample < 0 ? 0x80 : 0
    const magnitude = Math.min(Math.round(Math.abs(sample) * 32_768), CLIP) + BIAS
    const segment = 24 - Math.clz32(magnitude)
    return ~(sign | (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f)) & 0xff
  })
}
