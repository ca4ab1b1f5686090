import { adjust, createOutbox } from '@parley/api/testing'
import { accountsRoutes, pathOf } from '@parley/contract'
import type { Cluster } from '../cluster/cluster.ts'
import { type Person, signUp } from '../../world.ts'

/** Enough for a call every second for an hour. */
const CREDITS = 10_000

/** By the version that made the schema. */
export type Give = (cluster: Cluster, person: Person, credits: number) => Promise<unknown>

const giveHere: Give = ({ database }, { user }, credits) =>
  adjust(database.db, { userId: user.id, key: `adjust:${user.id}`, credits, reason: 'For a chaos run' })

/** People who place calls during a run. */
export async function openAccounts(cluster: Cluster, count: number, give = giveHere): Promise<Person[]> {
  const people: Person[] = []
  for (let number = 1; number <= count; number++) people.push(await openAccount(cluster, `chaos-${number}`, give))
  return people
}

/** A person with credits and a webhook. */
export async function openAccount(cluster: Cluster, name: string, give: Give): Promise<Person> {
  const { origin, dirs, webhookUrl } = cluster
  const outbox = createOutbox(dirs.api)
  const person = await signUp(origin, `${name}@parley.example`, 'correct horse battery', () => outbox.list())
  await give(cluster, person, CREDITS)
  const path = pathOf(accountsRoutes.changeSettings, { id: person.user.id })
  const answer = await person.send('PATCH', path, { webhookUrl: `${webhookUrl}/${name}`, recordCalls: true })
  if (!answer.ok) throw new Error(`Saving the settings answered ${answer.status}: ${await answer.text()}`)
  return person
}
