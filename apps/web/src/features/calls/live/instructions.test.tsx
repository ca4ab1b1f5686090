import { expect, it } from 'vitest'
import { instructionsAfter, withInstruction, type Instruction } from './instructions.tsx'

it('an instruction given twice is shown twice, each with its own key', () => {
  const again = { callId: 'call-1', text: 'Ask for a receipt', afterTurn: 2 }
  const instructions = [again, { ...again, afterTurn: 3 }, again].reduce(withInstruction, [] as readonly Instruction[])
  const shown = instructionsAfter(2, instructions, 'You')
  expect(shown).toHaveLength(2)
  expect(new Set(shown.map(({ key }) => key)).size).toBe(2)
})
