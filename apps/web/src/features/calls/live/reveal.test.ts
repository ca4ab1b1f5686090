import { describe, expect, it } from 'vitest'
import { countWords, firstWords, nextShown } from './reveal.ts'

describe('word by word reveal', () => {
  it('shows one word at a time, and more when many wait', () => {
    expect(nextShown(3, 5)).toBe(4)
    expect(nextShown(5, 5)).toBe(5)
    expect(nextShown(0, 120)).toBe(10)
  })

  it('keeps spaces and punctuation', () => {
    expect(countWords('  Good evening,\nthis is an AI. ')).toBe(6)
    expect(firstWords('Good evening, this is', 2)).toBe('Good evening,')
    expect(firstWords('Good', 4)).toBe('Good')
    expect(firstWords('', 1)).toBe('')
  })
})
