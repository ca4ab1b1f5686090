import { describe, expect, it } from 'vitest'
import { newRowId } from './row-ids.ts'

describe('ids of rows', () => {
  it('begin with their time, so that later ones sort behind earlier ones', async () => {
    const before = newRowId()
    await new Promise((resolve) => setTimeout(resolve, 2))
    const after = newRowId()
    expect(after > before).toBe(true)
    const madeAt = Number.parseInt(after.replaceAll('-', '').slice(0, 12), 16)
    expect(Math.abs(Date.now() - madeAt)).toBeLessThan(60_000)
  })

  it('differ within a millisecond', () => {
    expect(new Set(Array.from({ length: 10_000 }, newRowId)).size).toBe(10_000)
  })
})
