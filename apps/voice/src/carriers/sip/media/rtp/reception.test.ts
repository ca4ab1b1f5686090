import { describe, expect, it } from 'vitest'
import { Reception } from './reception.ts'

const added = (reception: Reception, ...sequences: number[]) =>
  sequences.map((sequence) => reception.add(sequence & 0xffff))

describe('Reception', () => {
  it('counts loss over the wrap of the sequence number', () => {
    const reception = new Reception()
    added(reception, 65_533, 65_534, 1, 2)
    expect(reception.lost).toBe(2)
    expect(reception.report()).toMatchObject({ lost: 2, fraction: Math.floor((2 * 256) / 6), highest: 65_536 + 2 })
  })

  it('does not count a reordered packet as lost, nor one that overtook the first', () => {
    const reception = new Reception()
    expect(added(reception, 10, 12, 11, 9)).toEqual(['new', 'new', 'new', 'new'])
    expect(reception.lost).toBe(0)
  })

  it('tells duplicates, which hide no loss', () => {
    const reception = new Reception()
    expect(added(reception, 1, 1, 2, 4, 4)).toEqual(['new', 'duplicate', 'new', 'new', 'duplicate'])
    expect(reception.lost).toBe(1)
  })

  it('takes a far jump for a restart only when the next packet follows it', () => {
    const reception = new Reception()
    expect(added(reception, 1, 2, 30_000, 3, 40_000, 40_001, 40_002)).toEqual([
      'new',
      'new',
      'unknown',
      'new',
      'unknown',
      'restart',
      'new',
    ])
    expect(reception.lost).toBe(0)
  })

  it('keeps the loss of the stream before a restart', () => {
    const reception = new Reception()
    added(reception, 1, 4)
    reception.restart(500)
    added(reception, 502)
    expect(reception.lost).toBe(3)
  })

  it('reports the share that was lost since the report before', () => {
    const reception = new Reception()
    added(reception, 1, 3)
    expect(reception.report()?.fraction).toBe(85)
    added(reception, 4, 5)
    expect(reception.report()?.fraction).toBe(0)
  })

  it('measures jitter as RFC 3550 does: a sixteenth of each difference', () => {
    const reception = new Reception()
    reception.arrived(0, 0)
    reception.arrived(160 + 16, 160)
    expect(reception.jitter).toBe(1)
    reception.arrived(320 + 16, 320)
    expect(reception.jitter).toBeCloseTo(15 / 16)
  })
})
