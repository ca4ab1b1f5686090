import { getPriority, setPriority } from 'node:os'
import { type Call, type CallDetails, creditsForSeconds } from '@parley/contract'
import { type ModelAnswer, type ModelRequest, spoken } from '@parley/sandbox/testing'
import { afterAll, beforeAll, expect, type TestContext } from 'vitest'
import { leaveLog } from '../failure.ts'
import { expectBooksInOrder } from '../testing.ts'
import { type Person, signUp } from '../world.ts'
import { type RealWire, type RealWireOptions, startRealWire } from './testing.ts'

// A model that books a table over the whole wire, and what must be so after each of its calls.

const NUMBER = '+12122345678'
export const SILENT_NUMBER = '+12122345679'
const OBJECTIVE = 'A table at 7 pm'
export const QUESTION = 'I would like a table for two at seven. Is that possible?'
export const REPLY = 'Yes, we have a table at seven.'
export const GOODBYE = 'Wonderful, thank you. Goodbye.'
const MET = { objective: 1, status: 'met', quote: 'we have a table at seven', offer: null, value: null }
export const SUMMARY = {
  type: 'success',
  title: 'Booked for seven',
  description: 'A table for two is booked at seven.',
  insights: ['They have a table at seven.'],
  next_steps: [],
  action: null,
}
/** The words of the last resort, and of the server where replies failed time after time. */
export const TROUBLE = /I(?: have|'m having) a technical problem and have to end this call\./
export const CALL_MS = 60_000

const json = (value: unknown): ModelAnswer => ({ steps: [{ type: 'say', text: JSON.stringify(value) }] })

/** A model that books a table. */
function books({ messages, schema }: ModelRequest): ModelAnswer | undefined {
  const said = messages.map(({ text }) => text).join('\n')
  if (said.includes('The call is over')) return json({ outcomes: [MET], summary: SUMMARY })
  if (schema !== null) return json({ outcomes: [], opted_out: null, language: null })
  if (said.includes('we have a table'))
    return spoken(GOODBYE, ['mark_objective', MET], ['end_call', { reason: 'agent_closed' }])
  if (said.includes('is on the line')) return spoken(QUESTION)
  // With the words so far: a vendor that refuses to be asked ahead is asked again when the reply is needed.
  return said.includes('callee_said') ? { status: 501 } : undefined
}

/** Above the threads that draw in Chromium, which takes -8 where it may. */
const FIRST = -10

/**
 * For the tests of a file, before the other journeys: the product's deadlines for vendors are real, and the vendors' far
 * ends answer in this process.
 */
export function keepTime(): void {
  const usual = getPriority()
  beforeAll(() => {
    try {
      setPriority(FIRST)
    } catch {
      // Only root may: this is one file among the others, then.
    }
  })
  afterAll(() => setPriority(usual))
}

/** The product ends with the test whose context is given; tests may run concurrently. */
export async function begin(
  { onTestFailed, onTestFinished }: Pick<TestContext, 'onTestFailed' | 'onTestFinished'>,
  more: Partial<RealWireOptions> = {},
): Promise<{ wire: RealWire; person: Person }> {
  const lines = (to: string) => (to === NUMBER ? [REPLY] : [])
  const wire = await startRealWire({ answer: books, lines, question: QUESTION, ...more })
  onTestFinished(() => wire.dispose())
  leaveLog(wire.parley, onTestFailed)
  return { wire, person: await signUp(wire.parley.url, 'wire@parley.example') }
}

export const place = async (person: Person, callee = NUMBER) =>
  (await person.place(callee, { objectives: [OBJECTIVE] })).id

/**
 * What each turn said; the callee's words without capitals and punctuation, which an ear gives in its finals alone: on a
 * machine that keeps no time one may come too late to be used.
 */
export const saidIn = ({ turns }: Pick<CallDetails, 'turns'>) =>
  turns.map(({ speaker, text }) => (speaker === 'user' ? wordsAlone(text) : text))
export const wordsAlone = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}\s]/gu, '')

export const agentWords = ({ turns }: CallDetails) =>
  turns
    .filter(({ speaker }) => speaker === 'agent')
    .map(({ text }) => text)
    .join(' ')

/** The seconds of the carrier are charged, and nothing is held any more. */
export async function expectCharged(
  { wire, person }: Awaited<ReturnType<typeof begin>>,
  calls: readonly CallDetails[],
) {
  for (const call of calls) expect(call.creditsCharged).toBe(creditsForSeconds(call.durationSeconds ?? 0))
  const seconds = wire.carrier.calls.map((call) => Reflect.get(call, 'durationSeconds') as number)
  const inOrder = (all: readonly (number | null)[]) => all.toSorted((a, b) => Number(a) - Number(b))
  expect(inOrder(calls.map(({ durationSeconds }) => durationSeconds))).toEqual(inOrder(seconds))
  await expectBooksInOrder(wire.parley)
  expect(await person.get<Call[]>(`/api/user/${person.user.id}/calls/active`)).toEqual([])
}
