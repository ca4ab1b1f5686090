import { describe, expect, test } from 'vitest'
import { axisOf, barsPath, labelledPlaces, linePath } from './dayChart.ts'

describe('axis', () => {
  test.each([
    [[[0], [0]], 1, [0, 1]],
    [[[3], [2]], 3, [0, 1, 2, 3]],
    [[[7], [4]], 8, [0, 2, 4, 6, 8]],
    [[[12_345]], 15_000, [0, 5000, 10_000, 15_000]],
  ])('of %j ends at %i, in whole steps', (days, top, ticks) => expect(axisOf(days, ['bar'])).toEqual({ top, ticks }))

  test('stacks bars, but not lines', () => {
    expect(axisOf([[3, 4]], ['bar', 'bar']).top).toBe(8)
    expect(axisOf([[3, 4]], ['bar', 'line']).top).toBe(4)
  })
})

test.each([
  [1, [0]],
  [7, [0, 2, 4, 6]],
  [30, [2, 7, 12, 17, 22, 27]],
])('of %i days the labelled ones are %j', (days, places) => expect(labelledPlaces(days)).toEqual(places))

test('bars are stacked on the previous series, and an empty bar is not drawn', () => {
  const points = [{ values: [2, 1] }, { values: [0, 3] }]
  expect(barsPath(points, 0, ['bar', 'bar'], 4)).toBe('M0.28 4h0.44v-2h-0.44z')
  expect(barsPath(points, 1, ['bar', 'bar'], 4)).toBe('M0.28 2h0.44v-1h-0.44zM1.28 4h0.44v-3h-0.44z')
})

test('a line connects the middles of the days', () => {
  expect(linePath([{ values: [1] }, { values: [3] }], 0, 4)).toBe('M0.5 3L1.5 1')
})
