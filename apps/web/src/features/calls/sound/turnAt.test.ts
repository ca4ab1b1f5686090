import type { Turn } from '@parley/contract'
import { expect, test } from 'vitest'
import { turnAt } from './RecordedTranscript.tsx'

const turn = (index: number, startMs: number, endMs: number | null): Turn => ({
  index,
  speaker: 'agent',
  text: '',
  startMs,
  endMs,
  heard: true,
})
const turns = [turn(0, 100, 3000), turn(1, 2500, 4000), turn(2, 6000, null)]

test.each([
  [0, undefined],
  [100, 0],
  [2400, 0],
  [2600, 1],
  [4000, undefined],
  [9999, 2],
])('at %i ms the spoken turn is %s', (atMs, index) => {
  expect(turnAt(turns, atMs)?.index).toBe(index)
})
