import { type Call, type CallDetails, creditsForSeconds } from '@parley/contract'
import { type ModelAnswer, type ModelRequest, spoken } from '@parley/sandbox/testing'
import { expect, onTestFinished, test } from 'vitest'
import { examine } from '../doctor/doctor.ts'
import { type RealWire, startRealWire } from './testing.ts'
import { expectBooksInOrder } from '../testing.ts'
import { type Person, signUp, until } from '../world.ts'

// Whole calls at the speed of speech, each in a product of its own because its vendors are killed: side by side they
// take as long as the longest.

const NUMBER = '+12122345678'
const SILENT_NUMBER = '+12122345679'
const OBJECTIVE = 'A table at 7 pm'
const QUESTION = 'I would like a table for two at seven. Is that possible?'
const REPLY = 'Yes, we have a table at seven.'
const GOODBYE = 'Wonderful, thank you. Goodbye.'
const MET = { objective: 1, status: 'met', quote: 'we have a table at seven', offer: null, value: null }
const SUMMARY = {
  type: 'success',
  title: 'Booked for seven',
  description: 'A table for two is booked at seven.',
  insights: ['They have a table at seven.'],
  next_steps: [],
  action: null,
}
const CALL_MS = 60_000

const json = (value: unknown): ModelAnswer => ({ steps: [{ type: 'say', text: JSON.stringify(value) }] })

/** A model that books a table. */
function books({ messages, schema }: ModelRequest): ModelAnswer | undefined {
  const said = messages.map(({ text }) => text).join('\n')
  if (said.includes('The call is over')) return json({ outcomes: [MET], summary: SUMMARY })
  if (schema !== null) return json({ outcomes: [], opted_out: null, language: null })
  if (said.includes('we have a table'))
    return spoken(GOODBYE, ['mark_objective', MET], ['end_call', { reason: 'agent_closed' }])
  if (said.includes('is on the line')) return spoken(QUESTION)
  // It is asked ahead, with the words so far: what it says then is not spoken.
  return said.includes('callee_said') ? spoken('What about seven?') : undefined
}

async function begin(environment: Record<string, string> = {}): Promise<{ wire: RealWire; person: Person }> {
  const lines = (to: string) => (to === NUMBER ? [REPLY] : [])
  const wire = await startRealWire({ answer: books, lines, environment })
  onTestFinished(() => wire.dispose())
  return { wire, person: await signUp(wire.parley.url, 'wire@parley.example') }
}

const place = async (person: Person, callee = NUMBER) => (await person.place(callee, { objectives: [OBJECTIVE] })).id

const agentWords = ({ turns }: CallDetails) =>
  turns
    .filter(({ speaker }) => speaker === 'agent')
    .map(({ text }) => text)
    .join(' ')

/** The seconds of the carrier are charged, and nothing is held any more. */
async function expectCharged({ wire, person }: Awaited<ReturnType<typeof begin>>, calls: readonly CallDetails[]) {
  for (const call of calls) expect(call.creditsCharged).toBe(creditsForSeconds(call.durationSeconds ?? 0))
  const seconds = wire.carrier.calls.map((call) => Reflect.get(call, 'durationSeconds') as number)
  const inOrder = (all: readonly (number | null)[]) => all.toSorted((a, b) => Number(a) - Number(b))
  expect(inOrder(calls.map(({ durationSeconds }) => durationSeconds))).toEqual(inOrder(seconds))
  await expectBooksInOrder(wire.parley)
  expect(await person.get<Call[]>(`/api/user/${person.user.id}/calls/active`)).toEqual([])
}

test.concurrent('a call over the wires of all vendors books the table, and the carrier’s seconds are charged', async () => {
  const { wire, person } = await begin()
  const { parley, environment } = wire
  expect((await fetch(`${parley.url}/readyz`)).status).toBe(200)
  for (const part of ['carrier    twilio', 'ear        Deepgram', 'mouth      ElevenLabs', 'mind       openai-comp'])
    expect(parley.log()).toContain(part)
  const before = await person.balance()
  const id = await place(person)
  await person.ended(id, CALL_MS)
  const call = await until('the summary', async () => {
    const details = await person.get<CallDetails>(`/api/calls/${id}`)
    return details.summary !== null && details
  })
  expect(call).toMatchObject({ status: 'completed', endReason: 'agent_closed', isTest: false })
  expect(call.turns.map(({ text }) => text)).toEqual([expect.stringContaining('Ada'), QUESTION, REPLY, GOODBYE])
  expect(call.outcomes).toMatchObject([{ status: 'met', quote: 'we have a table at seven', turn: 2 }])
  expect(call.summary).toBe(SUMMARY.description)
  await expectCharged({ wire, person }, [call])
  expect(await person.balance()).toBe(before - (call.creditsCharged ?? 0))

  const { DATABASE_URL: _, REDIS_URL: __, SMTP_URL: ___, ...inherited } = process.env
  const [, payments = ''] = /sandbox at http:\/\/[^:]+:(\d+)/.exec(parley.log()) ?? []
  const own = { DATA_DIR: parley.dataDir, PORT: new URL(parley.url).port, PAYMENTS_SANDBOX_PORT: payments }
  const parts = await examine({ ...inherited, ...environment, ...own })
  expect(parts.filter(({ ok }) => !ok)).toEqual([])
  expect(parts.map(({ part }) => part)).toContain('voice-1: mind openai-compatible llama3.2')
})

test.concurrent('a mouth killed in mid-call is followed by the next, and a broken media socket ends its call alone', async () => {
  const { wire, person } = await begin({ MOUTH: 'elevenlabs,espeak' })
  const broken = { how: 'dropped', afterMs: 2000, callGoesOn: false } as const
  wire.carrier.faults.set('stream', broken, { on: ({ to }) => to === SILENT_NUMBER })
  const ids = [await place(person), await place(person, SILENT_NUMBER)]
  await until('the mouth to be asked', async () => wire.mouth.texts.length >= 2)
  await wire.mouth.close()
  const [booked, dropped] = await Promise.all(ids.map((id) => person.ended(id, CALL_MS)))
  expect(agentWords(booked!)).toContain(GOODBYE)
  expect(booked).toMatchObject({ status: 'completed', endReason: 'agent_closed' })
  // The carrier's word that the call is over may come before the socket breaks.
  expect(dropped!.endReason).toMatch(/^(carrier_dropped|callee_hung_up)$/)
  expect(dropped!.turns.filter(({ speaker }) => speaker === 'user')).toEqual([])
  await expectCharged({ wire, person }, [booked!, dropped!])
})

test.concurrent('a model killed in mid-call ends the call with a sentence that says so', async () => {
  const { wire, person } = await begin()
  const id = await place(person)
  await until('the question', async () => wire.mouth.texts.some(({ text }) => text.includes('possible')))
  await wire.mind.close()
  const call = await person.ended(id, CALL_MS)
  expect(agentWords(call)).toContain('I have a technical problem and have to end this call.')
  expect(call.outcomes.filter(({ status }) => status === 'met')).toEqual([])
  await expectCharged({ wire, person }, [call])
})
