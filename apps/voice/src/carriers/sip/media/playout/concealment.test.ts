import { decodeMulaw, encodeMulaw, levelDbm0, sines } from '@parley/voice-ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ComfortNoise } from './comfort-noise.ts'
import { Concealment, pitchOf } from './concealment.ts'
import { BLOCK } from './jitter-buffer.ts'

const blocksOf = (audio: Uint8Array) =>
  Array.from({ length: audio.length / BLOCK }, (_, at) => audio.slice(at * BLOCK, (at + 1) * BLOCK))

/** A voiced sound: harmonics of one pitch. */
const voiced = (hz: number, ms: number) => sines([hz, hz * 2, hz * 3], ms, -20)

/** Plays blocks, with those of the given numbers lost. */
function played(audio: Uint8Array, lost: readonly number[]): Uint8Array[] {
  const concealment = new Concealment(new ComfortNoise())
  return blocksOf(audio).map((block, at) => {
    if (lost.includes(at)) concealment.conceal(block, false)
    else concealment.good(block)
    return block
  })
}

describe('pitchOf', () => {
  it.each([70, 100, 125, 160, 190])('finds a pitch of %i Hz', (hz) => {
    const found = 8000 / pitchOf(Float64Array.from(decodeMulaw(voiced(hz, 60))))
    // A multiple of a short period is as good to repeat.
    const ratio = hz / found
    expect(Math.abs(ratio - Math.round(ratio)) * found).toBeLessThan(hz * 0.04)
  })
})

describe('Concealment', () => {
  it('continues a voiced sound over 20 ms with hardly an error', () => {
    const audio = voiced(125, 200)
    const out = played(audio, [10, 11])
    const [true10, made10] = [
      decodeMulaw(audio.subarray(800, 960)),
      decodeMulaw(Uint8Array.of(...out[10]!, ...out[11]!)),
    ]
    let error = 0
    let energy = 0
    for (let i = 0; i < 160; i++) {
      error += (true10[i]! - made10[i]!) ** 2
      energy += true10[i]! ** 2
    }
    expect(error / energy).toBeLessThan(0.1)
  })

  it('makes no step louder than those of the sound itself, at either end of a gap', () => {
    const audio = voiced(137, 300)
    const stepsOf = (sound: Uint8Array) => {
      const samples = decodeMulaw(sound)
      return samples.reduce((most, sample, i) => Math.max(most, i > 0 ? Math.abs(sample - samples[i - 1]!) : 0), 0)
    }
    const out = Uint8Array.from(played(audio, [10, 11, 12, 18]).flatMap((block) => [...block]))
    expect(stepsOf(out)).toBeLessThan(stepsOf(audio) * 1.3)
  })

  it('fades from 10 ms on and is silent after 60 ms', () => {
    const out = played(voiced(125, 300), [10, 11, 12, 13, 14, 15, 16, 17])
    const levels = out.map(levelDbm0)
    expect(Math.abs(levels[10]! - levels[9]!)).toBeLessThan(1.5)
    expect(levels[13]!).toBeLessThan(levels[11]! - 2)
    expect(levels[16]!).toBeLessThan(-60)
    expect(levels[19]!).toBeCloseTo(levelDbm0(voiced(125, 300).subarray(19 * BLOCK, 20 * BLOCK)), 5)
  })

  it('fades within 10 ms where the far end falls silent by intention', () => {
    const concealment = new Concealment(new ComfortNoise())
    for (const block of blocksOf(voiced(125, 100))) concealment.good(block)
    const [first, second] = [new Uint8Array(BLOCK), new Uint8Array(BLOCK)]
    concealment.conceal(first, true)
    concealment.conceal(second, true)
    expect(levelDbm0(second)).toBeLessThan(-60)
  })
})

describe('ComfortNoise', () => {
  const levelOf = (noise: ComfortNoise) =>
    levelDbm0(encodeMulaw(Float64Array.from({ length: 8000 }, () => noise.next())))

  it('is as loud as the quietest that was heard', () => {
    const noise = new ComfortNoise()
    for (let i = 0; i < 50; i++) {
      noise.heard(sines([300], 20, -55))
      noise.heard(sines([300], 20, -15))
    }
    expect(Math.abs(levelOf(noise) + 54)).toBeLessThan(2)
  })

  it.each([
    ['no shape', []],
    ['a shape', [200, 60, 150]],
  ])('is as loud as a comfort noise packet with %s says', (_, shape) => {
    const noise = new ComfortNoise()
    noise.describe(Uint8Array.of(50, ...shape))
    // 0 dBov is +6.2 dBm0.
    expect(Math.abs(levelOf(noise) - (6.2 - 50))).toBeLessThan(4)
  })

  it('is at most 6 dB louder than a packet says, whatever the shape', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 14 }), (shape) => {
        const noise = new ComfortNoise()
        noise.describe(Uint8Array.of(50, ...shape))
        expect(levelOf(noise)).toBeLessThan(6.2 - 50 + 6)
      }),
      { numRuns: 50 },
    )
  })

  it('returns to what is heard when the far end speaks again', () => {
    const noise = new ComfortNoise()
    noise.describe(Uint8Array.of(30))
    noise.forget()
    noise.heard(sines([], 20))
    expect(levelOf(noise)).toBeLessThan(-65)
  })
})
