import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { DigitReceiver } from './digits-in.ts'

/** [timestamp, marker, event, end, duration] */
type Event = readonly [number, boolean, number, boolean, number]

function digitsOf(...events: readonly Event[]): string {
  const receiver = new DigitReceiver()
  return events
    .map(([timestamp, marker, event, end, duration]) => {
      const payload = Buffer.from([event, end ? 0x8a : 0x0a, duration >> 8, duration & 0xff])
      return receiver.take(timestamp, marker, payload, 0, payload.length)?.digit ?? ''
    })
    .join('')
}

describe('DigitReceiver', () => {
  it('tells a digit once, however often its packets come', () => {
    expect(
      digitsOf([0, true, 5, false, 160], [0, false, 5, false, 320], [0, false, 5, true, 480], [0, false, 5, true, 480]),
    ).toBe('5')
  })

  it('tells a digit of which only the last packet came, and the next after a lost end', () => {
    expect(digitsOf([0, false, 11, true, 800], [4000, false, 5, false, 160], [9000, false, 5, false, 160])).toBe('#55')
  })

  it('takes late packets of the digit before for no new digit', () => {
    expect(digitsOf([0, true, 1, false, 160], [2000, true, 2, false, 160], [0, false, 1, true, 480])).toBe('12')
  })

  it('takes a digit that is held beyond 65 535 samples for one', () => {
    expect(
      digitsOf(
        [0, true, 7, false, 160],
        [0, false, 7, false, 65_535],
        [65_535, false, 7, false, 160],
        [65_535, false, 7, true, 480],
      ),
    ).toBe('7')
  })

  it('tells the same digit again after its end, over the wrap of the timestamp', () => {
    const start = 2 ** 32 - 480
    expect(digitsOf([start, true, 9, true, 480], [0, true, 9, false, 160], [800, false, 9, false, 160])).toBe('999')
  })

  it('passes over events that are no digits and payloads that are too short', () => {
    expect(digitsOf([0, true, 16, false, 160], [500, true, 255, false, 160])).toBe('')
    expect(new DigitReceiver().take(0, true, Buffer.from([1, 2, 3]), 0, 3)).toBeNull()
  })
})
