import { describe, expect, it } from 'vitest'
import { remembered } from './remembered.ts'

describe('remembered()', () => {
  it('reads a text once while it is remembered, and gives the same result again', () => {
    const read: string[] = []
    const lengthOf = remembered((text) => {
      read.push(text)
      return text.length
    })
    expect([lengthOf('one'), lengthOf('three'), lengthOf('one'), lengthOf('')]).toEqual([3, 5, 3, 0])
    expect(read).toEqual(['one', 'three', ''])
  })

  it('tells texts apart by what else is given', () => {
    const read: string[] = []
    const joined = remembered((text, { to }: { to: string }, times: number) => {
      read.push(text)
      return `${text} ${to} ${times}`
    })
    expect([joined('a', { to: 'b' }, 1), joined('a', { to: 'b' }, 2), joined('a', { to: 'b' }, 1)]).toEqual([
      'a b 1',
      'a b 2',
      'a b 1',
    ])
    expect(read).toEqual(['a', 'a'])
  })

  it('holds no more texts than it may', () => {
    const read: string[] = []
    const same = remembered((text) => (read.push(text), text), 2)
    for (const text of ['a', 'b', 'c', 'a']) expect(same(text)).toBe(text)
    expect(read).toEqual(['a', 'b', 'c', 'a'])
  })
})
