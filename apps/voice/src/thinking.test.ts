import { startModelFarEnd } from '@parley/sandbox/testing'
import { systemClock } from '@parley/voice-ports'
import { aCallState } from '@parley/voice-ports/conformance'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { thinkingOf } from './thinking.ts'

const log = pino({ level: 'silent' })

function partsFor(environment: Readonly<Record<string, string>>, speed = 1) {
  const config = readConfig({ VOICE_SECRET: 'a secret of twenty letters', ...environment })
  return { config, log, clock: systemClock(speed) }
}

it('joins the configured models in order, with a check of each', async () => {
  const parts = partsFor({
    MIND: 'language-model',
    MIND_PROVIDER: 'anthropic,openai-compatible',
    MIND_MODEL: 'claude-haiku-4-5,llama3.2',
    MIND_BASE_URL: ',http://127.0.0.1:11434/v1',
    ANTHROPIC_API_KEY: 'key',
  })
  const { mind, checks } = await thinkingOf(parts)
  expect(mind.name).toBe('anthropic claude-haiku-4-5, else openai-compatible llama3.2')
  expect(checks.map(({ part }) => part)).toEqual(['mind anthropic claude-haiku-4-5', 'mind openai-compatible llama3.2'])
})

it('thinks by rules where no model is configured', async () => {
  const parts = partsFor({})
  expect(await thinkingOf(parts)).toMatchObject({ mind: { name: 'scripted' }, ears: [], checks: [] })
})

it('gives a model real time in calls that run faster', async () => {
  const said = { outcomes: [], opted_out: null, language: 'de' }
  const answer = () => ({ steps: [{ type: 'say' as const, text: JSON.stringify(said) }] })
  const far = await startModelFarEnd({ answer, apiKey: null })
  const parts = partsFor(
    {
      MIND: 'language-model',
      MIND_PROVIDER: 'openai-compatible',
      MIND_MODEL: 'llama3.2',
      MIND_BASE_URL: far.baseUrl.openai,
    },
    // The bound of an observation, 8 s of its own time, would be 0.8 ms.
    10_000,
  )
  const { mind } = await thinkingOf(parts)
  const turns = [{ index: 0, speaker: 'user' as const, text: 'Guten Tag.', heard: true, startMs: 0, endMs: 900 }]
  const asked = { ...aCallState({ turns }), cue: { type: 'heard', text: 'Guten Tag.' } as const }
  const events = []
  for await (const event of mind.observe?.(asked, AbortSignal.timeout(20_000)) ?? []) events.push(event)
  await far.close()
  expect(events).toContainEqual({ type: 'language', language: 'de' })
})
