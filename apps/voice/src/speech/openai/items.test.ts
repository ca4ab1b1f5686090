import { describe, expect, it } from 'vitest'
import { Items } from './items.ts'

function heard() {
  const told: string[] = []
  const items = new Items({
    onWords: (text, final) => void told.push(final ? `${text} |` : text),
    onSettled: () => void told.push('settled'),
  })
  return { items, told }
}

describe('the items of a transcription', () => {
  it('are final in the order of their sound, however they are completed', () => {
    const { items, told } = heard()
    items.commit()
    items.commit()
    items.committed('first', null)
    items.committed('second', 'first')
    items.completed('second', 'At eight.')
    expect(told).toEqual([])
    items.completed('first', 'Yes.')
    expect(told).toEqual(['Yes. |', 'settled', 'At eight. |', 'settled'])
  })

  it('keep their order where the vendor tells their commits in another one', () => {
    const { items, told } = heard()
    items.commit()
    items.committed('first', null)
    items.completed('first', 'Yes.')
    items.commit()
    items.commit()
    items.committed('third', 'second')
    items.completed('third', 'Please.')
    items.committed('second', 'first')
    items.completed('second', 'At eight.')
    expect(told.filter((text) => text !== 'settled')).toEqual(['Yes. |', 'At eight. |', 'Please. |'])
  })

  it('may be completed before their commit is answered', () => {
    const { items, told } = heard()
    items.commit()
    items.completed('first', 'Yes.')
    items.committed('first', null)
    expect(told).toEqual(['Yes. |', 'settled'])
  })

  it('give partials before the commit, and those of later sound after the final of the earlier', () => {
    const { items, told } = heard()
    items.delta('first', 'Yes')
    items.commit()
    items.committed('first', null)
    items.delta('second', 'At')
    items.completed('first', 'Yes.')
    items.delta('second', ' eight')
    expect(told).toEqual(['Yes', 'Yes. |', 'settled', 'At', 'At eight'])
  })

  it('that were given up go on behind the words that were given', () => {
    const { items, told } = heard()
    items.delta('first', 'Yes')
    items.commit()
    items.committed('first', null)
    items.giveUp()
    items.completed('first', 'Yes, at eight.')
    expect(told).toEqual(['Yes', 'Yes |', 'settled', 'at eight. |'])
  })
})
