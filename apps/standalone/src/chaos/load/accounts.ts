import { adjust, createOutbox } from '@parley/api/testing'
import { accountsRoutes, pathOf } from '@parley/contract'
import type { Cluster } from '../cluster/cluster.ts'
import { type Person, signUp } from '../../world.ts'

/** Enough for a call every second for an hour. */
const CREDITS = 10_000

/** People who place calls during a run, each with a webhook. */
export async function openAccounts(cluster: Cluster, count: number): Promise<Person[]> {
  const { origin, database, dirs, webhookUrl } = cluster
  const outbox = createOutbox(dirs.api)
  const people: Person[] = []
  for (let number = 1; number <= count; number++) {
    const person = await signUp(origin, `chaos-${number}@parley.example`, 'correct horse battery', () => outbox.list())
    const userId = person.user.id
    await adjust(database.db, { userId, key: `adjust:chaos-${number}`, credits: CREDITS, reason: 'For a chaos run' })
    const path = pathOf(accountsRoutes.changeSettings, { id: userId })
    const answer = await person.send('PATCH', path, { webhookUrl: `${webhookUrl}/${number}`, recordCalls: true })
    if (!answer.ok) throw new Error(`Saving the settings answered ${answer.status}: ${await answer.text()}`)
    people.push(person)
  }
  return people
}
