import { describe, expect, it } from 'vitest'
import { isBackChannel, isInterruption, wordsOf } from './phrases.ts'

describe('words without spaces', () => {
  it.each([
    ['我们有一张桌子。', 4],
    ['金曜日は空いていません。', 4],
    ['วันศุกร์ไม่ว่างครับ', 4],
    ['We have a table.', 4],
  ])('of "%s" are counted', (text, least) => expect(wordsOf(text).length).toBeGreaterThanOrEqual(least))

  it.each(['我们星期五没有桌子', '金曜日は空いていません', 'วันศุกร์ไม่ว่าง', '等一下', 'ちょっと待って', 'เดี๋ยว'])(
    '"%s" interrupts',
    (text) => expect(isInterruption(text)).toBe(true),
  )

  it.each(['好的', '嗯嗯', 'はい', 'そうですね', 'ครับ', 'ใช่ค่ะ'])('"%s" is a back-channel', (text) => {
    expect(isBackChannel(text)).toBe(true)
    expect(isInterruption(text)).toBe(false)
  })
})
