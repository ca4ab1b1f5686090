import { describe, expect, it } from 'vitest'
import { silentFrame } from '@parley/voice-ports'
import { Replay } from './replay.ts'

const frame = (nth: number, text?: string) => ({
  audio: new Uint8Array(160).fill(nth % 256),
  ...(text !== undefined && { text }),
})

function filled(count: number, most = 1000): Replay {
  const replay = new Replay(most)
  for (let nth = 0; nth < count; nth++) replay.push(frame(nth, nth % 3 === 0 ? `w${nth}` : undefined))
  return replay
}

describe('Replay', () => {
  it('gives back what was pushed, in order, also after it has grown', () => {
    expect(filled(200).all()).toEqual(
      Array.from({ length: 200 }, (_, nth) => frame(nth, nth % 3 === 0 ? `w${nth}` : undefined)),
    )
  })

  it('keeps the latest frames and counts the others', () => {
    const replay = filled(500, 100)
    expect(replay).toMatchObject({ length: 100, before: 400 })
    expect(replay.all()[0]).toEqual(frame(400))
    replay.keep(10)
    expect(replay).toMatchObject({ length: 10, before: 490 })
    replay.dropUntil(10_000)
    expect(replay).toMatchObject({ length: 0, before: 500 })
    replay.push(frame(7))
    expect(replay.all()).toEqual([frame(7)])
  })

  it('gives back what is kept after a long sentence, and what follows it', () => {
    const replay = filled(500)
    replay.keep(50)
    expect(replay).toMatchObject({ length: 50, before: 450 })
    for (let nth = 500; nth < 600; nth++) replay.push(frame(nth, nth % 3 === 0 ? `w${nth}` : undefined))
    expect(replay.all()).toEqual(filled(600).all().slice(450))
    expect(replay).toMatchObject({ length: 150, before: 450 })
  })

  it('gives back silence in its place among sound', () => {
    const replay = new Replay(100)
    for (let nth = 0; nth < 130; nth++) {
      if (nth % 3 === 0) replay.push(frame(nth))
      else replay.pushSilence()
    }
    expect(replay).toMatchObject({ length: 100, before: 30 })
    expect(replay.all()).toEqual(
      Array.from({ length: 100 }, (_, at) => ((at + 30) % 3 === 0 ? frame(at + 30) : silentFrame())),
    )
    replay.keep(0)
    const next = new Replay(100)
    for (let nth = 0; nth < 100; nth++) next.push(frame(nth))
    expect(next.all()).toEqual(Array.from({ length: 100 }, (_, nth) => frame(nth)))
  })

  it('gives back what was pushed, though another call had its memory before', () => {
    filled(500).keep(0)
    const replay = new Replay(1000)
    for (let nth = 0; nth < 300; nth++) replay.push({ audio: new Uint8Array(2).fill(nth % 256) })
    expect(replay.all()).toEqual(
      Array.from({ length: 300 }, (_, nth) => ({ audio: new Uint8Array(2).fill(nth % 256) })),
    )
  })

  it('does not change with the frame that it was given, and takes odd lengths', () => {
    const replay = new Replay(10)
    const mine = frame(1)
    replay.push(mine)
    mine.audio.fill(9)
    replay.push({ audio: new Uint8Array(3).fill(5) })
    replay.push({ audio: new Uint8Array(200).fill(6) })
    expect(replay.all().map(({ audio }) => [audio.length, audio[0]])).toEqual([
      [160, 1],
      [3, 5],
      [160, 6],
    ])
  })
})
