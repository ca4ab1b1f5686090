import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { press, WITH_MICROPHONE } from '../../../standalone/src/browser.ts'
import { openDatabase } from '../../../standalone/src/testing.ts'
import { type Person, until } from '../../../standalone/src/world.ts'
import { openParley } from '../testing.ts'
import { beginCall, framesOf, listenBeside } from './live-call.ts'

// A page does not know on which voice node its call runs: everything of a live call works on each of three.
// Longer than 20 s: a live call on each of three voice nodes, with all that a page can do.

const NODES = ['voice-1', 'voice-2', 'voice-3']
const { parley, browser } = await openParley({}, WITH_MICROPHONE, ['--voices', String(NODES.length)])

async function rowsOf<T extends object>(query: string, values: unknown[] = []): Promise<T[]> {
  const database = await openDatabase(parley)
  const { rows } = await database.pool.query<T>(query, values)
  await database.close()
  return rows
}

const nodeOf = async (callId: string) =>
  (await rowsOf<{ node_id: string }>('select node_id from call_lease where call_id = $1', [callId]))[0]?.node_id

/** Live view, listen-in, keypad, take over, hand back and stop. */
async function useEverything(person: Person, page: Page, callId: string): Promise<void> {
  const frames = framesOf(page, `/${callId}/audio`)
  await page.getByRole('log').getByText('AI assistant').waitFor()
  await page.getByRole('button', { name: 'Listen', exact: true }).click()
  await page.getByRole('button', { name: 'Stop listening' }).waitFor()
  await until('sound of the call', async () => frames.received > 50)
  await press(page, 'Keypad')
  await press(page, 'Press 5')
  await page.getByLabel('Pressed so far').getByText('5').waitFor()
  await press(page, 'Keypad')
  await press(page, 'Take over')
  await page.getByText('You are speaking').first().waitFor()
  const ear = listenBeside(parley, person, callId)
  await until('the microphone to reach the callee', async () => ear.loud > 5)
  await press(page, 'Hand back')
  await page.getByRole('log').getByText('AI assistant again').waitFor()
  ear.close()
  await press(page, 'Stop')
  expect((await person.ended(callId)).endReason).toBe('stopped')
}

test('live view, listen-in, keypad, take over and stop work for a call on each of three voice nodes', async () => {
  await until('all nodes to join', async () => (await rowsOf('select from voice_node')).length === NODES.length)
  const begun = new Map<string, Awaited<ReturnType<typeof beginCall>>>()
  for (let callers = 1; begun.size < NODES.length; callers++) {
    const one = await beginCall({ parley, browser }, `caller-${callers}@parley.example`, '+1 202 555 0111')
    const node = await until('a node to have the call', async () => nodeOf(one.call.id))
    // A node whose heartbeat is being written is passed over, and another one gets a second call.
    if (begun.has(node)) await one.page.context().close()
    else begun.set(node, one)
  }
  expect([...begun.keys()].toSorted()).toEqual(NODES)
  for (const { person, page, call, complaints } of begun.values()) {
    await useEverything(person, page, call.id)
    expect(complaints).toEqual([])
  }
}, 240_000)
