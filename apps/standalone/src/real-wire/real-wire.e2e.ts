import type { CallDetails } from '@parley/contract'
import { expect, test } from 'vitest'
import { examine } from '../doctor/doctor.ts'
import { until } from '../world.ts'
import {
  agentWords,
  begin,
  CALL_MS,
  expectCharged,
  GOODBYE,
  keepTime,
  place,
  QUESTION,
  REPLY,
  saidIn,
  SILENT_NUMBER,
  SUMMARY,
  TROUBLE,
  wordsAlone,
} from './testing-samples.ts'

// Each call has a product of its own, because its vendors are killed. What it begins ends by the hooks of its context.
// Longer than 20 s: whole calls at the speed of speech; side by side they take as long as the longest.

keepTime()

test.concurrent('a call over the wires of all vendors books the table, and the carrier’s seconds are charged', async (context) => {
  const { wire, person } = await begin(context)
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
  expect(saidIn(call)).toEqual([expect.stringContaining('Ada'), QUESTION, wordsAlone(REPLY), GOODBYE])
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

test.concurrent('a mouth killed in mid-call is followed by the next, and a broken media socket ends its call alone', async (context) => {
  // The second mouth may be the one that asks.
  const { wire, person } = await begin(context, { environment: { MOUTH: 'elevenlabs,espeak' }, question: null })
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

test.concurrent('a model killed in mid-call ends the call with a sentence that says so', async (context) => {
  // The question was asked in full: the model is needed for the answer to what the callee says now.
  const answering = Promise.withResolvers<void>()
  const { wire, person } = await begin(context, { onSpoken: () => answering.resolve() })
  const id = await place(person)
  await answering.promise
  await wire.mind.close()
  const call = await person.ended(id, CALL_MS)
  expect(agentWords(call)).toMatch(TROUBLE)
  expect(call.outcomes.filter(({ status }) => status === 'met')).toEqual([])
  await expectCharged({ wire, person }, [call])
})
