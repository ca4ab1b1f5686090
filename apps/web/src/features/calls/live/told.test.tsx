import { expect, it } from 'vitest'
import { toldAfter, withTold, type Told } from './told.tsx'

it('an instruction given twice is shown twice, each with its own key', () => {
  const again = { callId: 'call-1', text: 'Ask for a receipt', afterTurn: 2 }
  const told = [again, { ...again, afterTurn: 3 }, again].reduce(withTold, [] as readonly Told[])
  const shown = toldAfter(2, told, 'You')
  expect(shown).toHaveLength(2)
  expect(new Set(shown.map(({ key }) => key)).size).toBe(2)
})
