import { describe, expect, it } from 'vitest'
import { MediaSource } from './source.ts'

const SIGNALLED = ['10.0.0.1', 4000] as const
const NAT = ['192.0.2.9', 61_000] as const
const STRANGER = ['198.51.100.7', 5000] as const

/** Feeds packets in sequence and returns which were taken. */
const feed = (source: MediaSource, [address, port]: readonly [string, number], from: number, count: number, ssrc = 1) =>
  Array.from({ length: count }, (_, i) => source.take(address, port, ssrc, from + i, 1))

describe('MediaSource', () => {
  it('takes the signalled address at once and nobody else after it', () => {
    const source = new MediaSource(...SIGNALLED)
    expect(feed(source, SIGNALLED, 1, 2)).toEqual([true, true])
    expect(feed(source, STRANGER, 3, 4)).toEqual([false, false, false, false])
    expect(source.isPossible(...STRANGER)).toBe(false)
    expect([source.address, source.port, source.changes]).toEqual([...SIGNALLED, 0])
  })

  it('learns another address from two packets in sequence when none came from the signalled one', () => {
    const source = new MediaSource(...SIGNALLED)
    expect(feed(source, NAT, 1, 3)).toEqual([false, true, true])
    expect([source.address, source.port, source.changes]).toEqual([...NAT, 1])
  })

  it('does not learn from packets out of sequence', () => {
    const source = new MediaSource(...SIGNALLED)
    expect([1, 5, 9, 20].map((sequence) => source.take(...NAT, 1, sequence, null))).not.toContain(true)
  })

  it('follows the learned stream to a new port, and no other stream', () => {
    const source = new MediaSource(...SIGNALLED)
    feed(source, NAT, 1, 2)
    expect(feed(source, STRANGER, 3, 4, 2)).not.toContain(true)
    expect(feed(source, [NAT[0], NAT[1] + 1], 3, 2)).toEqual([false, true])
    expect(source.changes).toBe(2)
  })

  it('returns to the signalled address, and changes three times at most', () => {
    const source = new MediaSource(...SIGNALLED)
    feed(source, NAT, 1, 2)
    expect(feed(source, SIGNALLED, 3, 2)).toEqual([false, true])
    expect(feed(source, NAT, 5, 4)).not.toContain(true)
    const moving = new MediaSource(...SIGNALLED)
    for (let port = 1; port <= 10; port++) feed(moving, [NAT[0], port], port * 10, 3)
    expect(moving.changes).toBe(3)
  })
})
