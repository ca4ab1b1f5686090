import { describe, expect, it } from 'vitest'
import { FRAME_MS } from './frame.ts'
import { MediaTimeline } from './media-timeline.ts'

/** Frames whose last sample is said at 5000, 5020 ... ms, each so late. */
function fed(delaysMs: readonly number[], driftPerFrameMs = 0) {
  const timeline = new MediaTimeline()
  delaysMs.forEach((delayMs, at) =>
    timeline.arrived(at * FRAME_MS, 5000 + at * (FRAME_MS + driftPerFrameMs) + FRAME_MS + delayMs),
  )
  return timeline
}

describe('MediaTimeline', () => {
  it('maps media time to the call time of the frame with the smallest delay', () => {
    const timeline = fed([90, 120, 40, 40, 300, 75])
    expect([timeline.callMs(0), timeline.callMs(100)]).toEqual([5040, 5140])
  })

  it('maps the same with and without jitter once one frame came without delay', () => {
    const jitter = Array.from({ length: 100 }, (_, at) => (at * 37) % 110)
    expect(fed(jitter).callMs(1980)).toBe(fed(jitter.map(() => 0)).callMs(1980))
  })

  it('follows a carrier whose clock is 200 ppm slower, within 5 ms after 10 min', () => {
    const frames = 600_000 / FRAME_MS
    const driftMs = FRAME_MS * 200e-6
    const timeline = fed(Array<number>(frames).fill(0), driftMs)
    const error = timeline.callMs((frames - 1) * FRAME_MS) - (5000 + (frames - 1) * (FRAME_MS + driftMs))
    expect(Math.abs(error)).toBeLessThan(5)
  })
})
