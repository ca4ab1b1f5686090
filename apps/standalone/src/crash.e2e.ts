import type { Call } from '@parley/contract'
import { creditsForSeconds } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBooksInOrder, roundsOf } from './testing.ts'
import { type Person, type Running, runParley, signIn, signUp, until } from './world.ts'

const EMAIL = 'crash@parley.example'
const PASSWORD = 'correct horse battery'
let parley: Running
let person: Person

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '4' })
  person = await signUp(parley.url, EMAIL, PASSWORD)
})
afterAll(() => parley.dispose())

describe('a crash in mid-call', () => {
  const parts = [['main'], ['main', 'voice', 'postgres'], ['main', 'voice'], ['main', 'postgres']] as const
  /**
   * The supervisor alone and all at once; the soak goes on with the others. supervisor.e2e.ts kills each part for
   * itself.
   */
  const rounds = roundsOf(parts.slice(0, 2))

  test('of each part leaves no hold open, no wrong balance and no call stuck', async () => {
    for (let round = 0; round < rounds; round++) {
      const before = await person.balance()
      if (before === 0) break
      const call = await person.place('+12025550111', { maxDurationMinutes: 1 })
      // A different moment of the call each time: from just placed to deep in the conversation.
      const statuses =
        round % 3 === 0 ? ['initiated', 'dialing', 'ringing', 'connected', 'in_progress'] : ['connected', 'in_progress']
      await until('the call to be under way', async () =>
        statuses.includes((await person.get<Call>(`/api/calls/${call.id}`)).status),
      )
      await parley.kill(...parts[round % parts.length]!)
      await parley.start()
      person = await signIn(parley.url, EMAIL, PASSWORD)

      // One that was killed before its order was handed over may still be dialed after the restart: then it is stopped.
      const { status } = await person.get<Call>(`/api/calls/${call.id}`)
      if (status !== 'failed') await person.send('PATCH', `/api/calls/${call.id}`, { action: 'stop' })
      const ended = await person.ended(call.id, 60_000)
      const charged = creditsForSeconds(ended.durationSeconds ?? 0)
      expect(ended.creditsCharged).toBe(charged)
      expect(ended.endReason).toMatch(/^(interrupted|carrier_failure|canceled|stopped)$/)
      expect(await person.balance()).toBe(before - charged)
      await expectBooksInOrder(parley)
    }
    expect(await person.get<Call[]>(`/api/user/${person.user.id}/calls/active`)).toEqual([])
  }, 600_000)
})

test('a second start keeps the data, and Ctrl-C in mid-call settles it', async () => {
  // Somebody else than before, whose credits may be used up.
  const [email, password] = ['restart@parley.example', PASSWORD]
  person = await signUp(parley.url, email, password)
  const call = await person.place('+12025550111', { maxDurationMinutes: 1 })
  await until(
    'the call to be answered',
    async () => (await person.get<Call>(`/api/calls/${call.id}`)).status === 'in_progress',
  )
  expect(await parley.stop()).toBe(0)
  await parley.start()
  const again = await signIn(parley.url, email, password)
  const ended = await again.ended(call.id, 60_000)
  expect(ended).toMatchObject({
    endReason: 'interrupted',
    creditsCharged: creditsForSeconds(ended.durationSeconds ?? 0),
  })
  expect((await again.get<Call[]>(`/api/user/${again.user.id}/calls`)).some(({ id }) => id === call.id)).toBe(true)
  await expectBooksInOrder(parley)
}, 180_000)
