import { expect, it } from 'vitest'
import { createScriptedMouth, personas } from '@parley/sandbox'
import { rehearseMany } from './many.ts'

it('60 calls to all personas at 50 times the speed end as their personas decide', { timeout: 120_000 }, async () => {
  const mouth = createScriptedMouth()
  const results = await rehearseMany({ calls: 60, speed: 50, together: 12, overrides: { mouth } })
  expect(results).toHaveLength(60)
  expect(results.filter(({ right }) => !right)).toEqual([])
  expect(new Set(results.map(({ number }) => number)).size).toBe(personas.length)
  expect(
    results.filter(({ number, outcomes }) => number === '0100' && outcomes.some(({ status }) => status === 'met'))
      .length,
  ).toBeGreaterThan(2)
})
