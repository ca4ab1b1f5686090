import { FRAME_BYTES, levelDbm0, SILENCE_BYTE } from '@parley/voice-ports'
import { describe, expect, it } from 'vitest'
import { framesOf, joined, likeness, random, speechLike } from '../testing/sound.ts'
import { Playout } from './playout.ts'

interface Network {
  /** Delay of packet number i in ms; null: lost. */
  readonly delayMs?: (i: number) => number | null
  /** How much faster the far end's clock runs, in millionths. */
  readonly driftPpm?: number
  readonly packetMs?: number
  readonly startMs?: number
  readonly firstTimestamp?: number
  /** Packets that the far end does not send. */
  readonly unsent?: (i: number) => boolean
  readonly marker?: (i: number) => boolean
}

/** Sends a sound through a network, packet by packet, and returns the frames that are played in the same time. */
function through(audio: Uint8Array, network: Network, tailMs = 300) {
  const { packetMs = 20, driftPpm = 0, firstTimestamp = 2 ** 32 - 8000 } = network
  const bytes = packetMs * 8
  const playout = new Playout(network.startMs ?? 60)
  const arrivals: { readonly atMs: number; readonly i: number }[] = []
  for (let i = 0; (i + 1) * bytes <= audio.length; i++) {
    const delay = network.delayMs ? network.delayMs(i) : 5
    if (delay === null || network.unsent?.(i)) continue
    arrivals.push({ atMs: (i * packetMs) / (1 + driftPpm / 1e6) + delay, i })
  }
  arrivals.sort((a, b) => a.atMs - b.atMs)
  const frames: Uint8Array[] = []
  const endMs = audio.length / 8 + tailMs
  for (let nowMs = 3, next = 0; nowMs < endMs; nowMs += 20) {
    for (let arrival = arrivals[next]; arrival && arrival.atMs <= nowMs; arrival = arrivals[++next]) {
      const { i, atMs } = arrival
      const timestamp = (firstTimestamp + i * bytes) >>> 0
      playout.audio(timestamp, network.marker?.(i) ?? false, audio, i * bytes, (i + 1) * bytes, null, atMs)
    }
    frames.push(playout.frame(nowMs))
  }
  return { playout, frames, heard: joined(frames) }
}

const VOICE = speechLike(6000)

describe('Playout', () => {
  it('plays what comes, unchanged, about 60 ms later, over the wrap of the timestamp', () => {
    const { heard, playout } = through(VOICE, {}, 0)
    expect(likeness(VOICE, heard, 1000)).toBeGreaterThan(0.999)
    expect([playout.late, playout.concealed]).toEqual([0, 0])
    const first = framesOf(heard).findIndex((frame) => levelDbm0(frame) > -40)
    const sent = framesOf(VOICE).findIndex((frame) => levelDbm0(frame) > -40)
    expect((first - sent) * 20).toBeGreaterThanOrEqual(60)
    expect((first - sent) * 20).toBeLessThanOrEqual(100)
  })

  it.each([10, 30, 40, 60])('plays packets of %i ms', (packetMs) => {
    const { heard, playout } = through(VOICE, { packetMs }, 0)
    expect(likeness(VOICE, heard, 1000)).toBeGreaterThan(0.999)
    expect(playout.concealed).toBe(0)
  })

  it('tells another sound from the one that was sent', () => {
    expect(likeness(speechLike(6000, 99), through(VOICE, {}).heard, 1000)).toBeLessThan(0.7)
  })

  it('waits for packets with 40 ms of jitter, in any order', () => {
    const next = random(5)
    const { heard, playout } = through(VOICE, { delayMs: () => 40 * next() })
    expect(likeness(VOICE, heard, 1500)).toBeGreaterThan(0.99)
    expect(playout.late).toBeLessThan(3)
  })

  it('conceals 5 % of loss under 40 ms of jitter', () => {
    const next = random(8)
    const { heard, playout, frames } = through(VOICE, { delayMs: () => (next() < 0.05 ? null : 40 * next()) })
    expect(likeness(VOICE, heard, 1500)).toBeGreaterThan(0.9)
    expect(playout.concealed).toBeGreaterThan(5)
    expect(frames.length).toBe(Math.ceil((6300 - 3) / 20))
  })

  it('lengthens its delay when the network gets slower, up to 120 ms, and shortens it afterwards', () => {
    const next = random(3)
    const long = speechLike(40_000)
    const rough = (i: number) => (i > 100 && i < 600 ? 90 * next() : 2 * next())
    const { playout, heard } = through(long, { delayMs: rough, startMs: 20 })
    const smoothFrom = 1500 * FRAME_BYTES
    expect(playout.delayMs).toBeLessThanOrEqual(60)
    expect(likeness(long.subarray(smoothFrom), heard.subarray(smoothFrom), 1500)).toBeGreaterThan(0.99)
    const { playout: during } = through(long.subarray(0, 560 * FRAME_BYTES), { delayMs: rough, startMs: 20 })
    expect(during.delayMs).toBeGreaterThan(80)
    expect(during.delayMs).toBeLessThanOrEqual(120)
  })

  it.each([-500, 500])('follows a clock that is %i ppm off, without a late packet', (driftPpm) => {
    const long = speechLike(120_000)
    const { playout, heard } = through(long, { driftPpm })
    expect(playout.late).toBe(0)
    expect(playout.concealed).toBeLessThan(5)
    const end = 110_000 * 8
    expect(likeness(long.subarray(end), heard.subarray(end), 1500)).toBeGreaterThan(0.9)
  })

  it('fills pauses in which nothing is sent with noise of the line, and plays the next words whole', () => {
    const isPause = (i: number) => i % 60 >= 30
    const { heard, frames, playout } = through(VOICE, { unsent: isPause, marker: (i) => i % 60 === 0 })
    const sent = joined(
      framesOf(VOICE).map((frame, i) => (isPause(i) ? new Uint8Array(FRAME_BYTES).fill(SILENCE_BYTE) : frame)),
    )
    expect(likeness(sent, heard, 1500)).toBeGreaterThan(0.95)
    expect(frames.every((frame) => frame.length === FRAME_BYTES)).toBe(true)
    expect(playout.late).toBe(0)
    const inPause = levelDbm0(frames[50]!)
    expect(inPause).toBeGreaterThan(-80)
    expect(inPause).toBeLessThan(-44)
  })

  it('starts anew when the far end jumps to another time line', () => {
    const playout = new Playout(40)
    const heard: Uint8Array[] = []
    for (let i = 0; i < 100; i++) {
      const timestamp = i < 50 ? i * 160 : 900_000_000 + i * 160
      playout.audio(timestamp, false, VOICE, i * 160, (i + 1) * 160, null, i * 20)
      heard.push(playout.frame(i * 20 + 10))
    }
    const [from, to] = [60 * 160, 100 * 160]
    expect(likeness(VOICE.subarray(from, to), joined(heard).subarray(from, to), 800)).toBeGreaterThan(0.99)
  })

  it('plays on within a moment after the way gets 300 ms longer at once', () => {
    const { heard } = through(VOICE, { delayMs: (i) => (i < 100 ? 5 : 305) }, 700)
    const from = 140 * FRAME_BYTES
    expect(likeness(VOICE.subarray(from), heard.subarray(from), 4000)).toBeGreaterThan(0.99)
  })

  it('is not led astray by a single packet of another time line', () => {
    const playout = new Playout(40)
    const heard: Uint8Array[] = []
    for (let i = 0; i < 100; i++) {
      playout.audio(i * 160, false, VOICE, i * 160, (i + 1) * 160, null, i * 20)
      if (i === 40) playout.audio(3_000_000_000, true, VOICE, 0, 160, null, i * 20)
      heard.push(playout.frame(i * 20 + 10))
    }
    expect(playout.concealed).toBeLessThan(12)
    expect(likeness(VOICE.subarray(0, 16_000), joined(heard), 800)).toBeGreaterThan(0.8)
  })

  it('makes the noise that a comfort noise packet describes, and ends it with the next words', () => {
    const playout = new Playout(20)
    const heard: Uint8Array[] = []
    for (let i = 0; i < 100; i++) {
      if (i < 30 || i >= 70) playout.audio(i * 160, i === 70, VOICE, i * 160, (i + 1) * 160, null, i * 20)
      else if (i === 30) playout.silence(i * 160, Uint8Array.of(50))
      heard.push(playout.frame(i * 20 + 10))
    }
    const levels = heard.slice(35, 65).map(levelDbm0)
    expect(levels.every((level) => Math.abs(level + 43.8) < 3)).toBe(true)
    expect(playout.concealed).toBe(0)
    expect(likeness(VOICE.subarray(72 * 160, 100 * 160), joined(heard).subarray(72 * 160), 400)).toBeGreaterThan(0.98)
  })

  it('is silent under a digit that is sent as an event, and does not count it as lost', () => {
    const playout = new Playout(20)
    const heard: Uint8Array[] = []
    for (let i = 0; i < 60; i++) {
      if (i < 30 || i >= 40) playout.audio(i * 160, false, VOICE, i * 160, (i + 1) * 160, null, i * 20)
      else playout.digit(30 * 160, (i - 29) * 160)
      heard.push(playout.frame(i * 20 + 10))
    }
    expect(playout.concealed).toBe(0)
    expect(heard.slice(34, 38).every((frame) => frame.every((code) => code === SILENCE_BYTE))).toBe(true)
  })
})
