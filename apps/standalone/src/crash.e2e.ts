import type { Call } from '@parley/contract'
import { creditsForSeconds } from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectBooksInOrder, roundsOf } from './testing.ts'
import { type Person, type Running, runParley, signIn, signUp, until } from './world.ts'

// Longer than 20 s: a product is killed during a call, and starts twice more.

const EMAIL = 'crash@parley.example'
const PASSWORD = 'correct horse battery'
let parley: Running
let person: Person

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '4' })
  person = await signUp(parley.url, EMAIL, PASSWORD)
})
afterAll(() => parley.dispose())

describe('a crash during a call', () => {
  const kills = [['main'], ['main', 'voice', 'postgres'], ['main', 'voice'], ['main', 'postgres']] as const
  /**
   * The supervisor alone and all processes at once; the soak adds the others. supervisor.e2e.ts kills each process
   * alone.
   */
  const rounds = roundsOf(kills.slice(0, 2))

  test('leaves no open hold, no wrong balance and no stuck call', async () => {
    for (let round = 0; round < rounds; round++) {
      const before = await person.balance()
      if (before === 0) break
      const call = await person.place('+12025550111', { maxDurationMinutes: 1 })
      // A different state of the call in each round.
      const statuses =
        round % 3 === 0 ? ['initiated', 'dialing', 'ringing', 'connected', 'in_progress'] : ['connected', 'in_progress']
      await until('the call to be under way', async () =>
        statuses.includes((await person.get<Call>(`/api/calls/${call.id}`)).status),
      )
      await parley.kill(...kills[round % kills.length]!)
      await parley.start()
      person = await signIn(parley.url, EMAIL, PASSWORD)

      // A call killed before its order was sent may still be dialed after the restart: stop it.
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

test('Ctrl-C during a call settles the call, and the next start keeps the data', async () => {
  // A new user: the credits of the first may be used up.
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
