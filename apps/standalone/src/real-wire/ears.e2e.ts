import { startDeepgramFarEnd, startOpenaiTranscription } from '@parley/sandbox/testing'
import { expect, test } from 'vitest'
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
  TROUBLE,
  wordsAlone,
} from './testing-samples.ts'

// What is killed for one call is missing in the next.
// Longer than 20 s: three calls at the speed of speech, one after the other.

keepTime()

/** In mid-word of the line, and behind a part that was final already. */
const KILLED_AT_MS = 1200
const LINES = [expect.stringContaining('Ada'), QUESTION, wordsAlone(REPLY), GOODBYE]

test('an ear killed in mid-word hears again, is followed by the next, or the call ends with a sentence that says so', async (context) => {
  const ear = await startDeepgramFarEnd()
  const second = await startOpenaiTranscription({ script: ear.script })
  context.onTestFinished(() => second.close())
  const kills: (() => void)[] = [() => ear.drop(), () => void ear.close(), () => void second.close()]
  const { wire, person } = await begin(context, {
    ear,
    onSpoken: (_, spokenMs) => void (spokenMs === KILLED_AT_MS && kills.shift()?.()),
    environment: { EAR: 'deepgram,openai', OPENAI_API_KEY: second.apiKey, OPENAI_BASE_URL: second.url },
  })
  const call = async () => person.ended(await place(person), CALL_MS)

  const reconnected = await call()
  expect(kills).toHaveLength(2)
  expect(ear.upgrades.length).toBeGreaterThan(1)
  expect(second.upgrades).toEqual([])
  expect(reconnected).toMatchObject({ status: 'completed', endReason: 'agent_closed' })
  expect(saidIn(reconnected)).toEqual(LINES)

  const failedOver = await call()
  expect(kills).toHaveLength(1)
  expect(second.upgrades.length).toBeGreaterThan(0)
  expect(failedOver).toMatchObject({ status: 'completed', endReason: 'agent_closed' })
  expect(saidIn(failedOver)).toEqual(LINES)

  const deaf = await call()
  expect(kills).toEqual([])
  expect(agentWords(deaf)).toMatch(TROUBLE)
  expect(agentWords(deaf)).not.toContain(GOODBYE)
  expect(deaf.outcomes.filter(({ status }) => status === 'met')).toEqual([])
  await expectCharged({ wire, person }, [reconnected, failedOver, deaf])
})
