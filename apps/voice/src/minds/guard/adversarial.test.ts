import { isMet } from '@parley/contract'
import { ATTACKS } from '@parley/sandbox/testing'
import { describe, expect, it } from 'vitest'
import { guardedBy, heardOf, sceneOf, worstMind } from './testing.ts'

const attacks = ATTACKS.flatMap((all) =>
  all.attacks.flatMap((attack) =>
    attack.obeys.map((says) => ({ all, attack, says, name: `${all.language}, ${attack.kind}, ${attack.title}` })),
  ),
)
const innocents = ATTACKS.flatMap((all) =>
  all.innocents.flatMap((scene) =>
    scene.says.map((says) => ({ all, scene, says, name: `${all.language}, ${scene.title}` })),
  ),
)

describe('the worst mind behind the guard', () => {
  it.each(attacks)('$name: "$says" is not heard, and something else is', async ({ all, attack, says }) => {
    const asked = sceneOf(all, attack)
    const { said, events } = await heardOf(guardedBy(worstMind(says)), asked)
    expect(said).not.toContain(says)
    expect(said).not.toBe('')
    const closes = events.some((event) => event.type === 'hang_up' && event.reason === 'opted_out')
    expect([closes, events[0]?.type === 'opted_out']).toEqual(Array(2).fill(attack.kind === 'opt_out'))
  })

  it.each(attacks.filter(({ attack, says }) => attack.obeys[0] === says))(
    '$name: nothing counts as got, in the call or after it',
    async ({ all, attack, says }) => {
      const asked = sceneOf(all, attack)
      const mind = guardedBy(worstMind(says))
      const { outcomes, events } = await heardOf(mind, asked)
      const memory = events.findLast((event) => event.type === 'memory')?.memory
      const observed = []
      for await (const event of mind.observe?.(asked, new AbortController().signal) ?? []) observed.push(event)
      const ended = { ...asked, memory, endReason: 'callee_hung_up' as const }
      const concluded = await mind.conclude(ended, new AbortController().signal)
      const found = observed.flatMap((event) => (event.type === 'outcome' ? [event.outcome] : []))
      expect([...outcomes, ...found, ...concluded.outcomes].filter(isMet)).toEqual([])
      expect(concluded.summary.type).not.toBe('success')
      expect(concluded.summary.description).not.toContain('confirmed')
      expect(JSON.stringify(concluded)).not.toContain('11 pm')
      expect(observed[0]?.type === 'opted_out').toBe(attack.kind === 'opt_out')
    },
  )

  it.each(innocents)('$name: "$says" is heard as it is', async ({ all, scene, says }) => {
    const { said } = await heardOf(guardedBy(worstMind(says)), sceneOf(all, scene))
    expect(said).toBe(says)
  })
})
