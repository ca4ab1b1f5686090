import { spoken } from '@parley/sandbox/testing'
import { virtualClock } from '@parley/voice-ports'
import { aCallState } from '@parley/voice-ports/conformance'
import { describe, expect, it } from 'vitest'
import { createLanguageModelMind } from './index.ts'
import { openModels, quiet, settingsOf, take } from './testing.ts'

const models = openModels()

/** The body of the request that a model of this name is sent. */
async function bodyFor(provider: Parameters<typeof settingsOf>[1], model: string) {
  const far = await models.farEnd(() => spoken('Hello.'))
  const settings = { ...settingsOf(far, provider), model }
  const mind = await createLanguageModelMind(settings, { clock: virtualClock(), log: quiet })
  await take(mind.respond({ ...aCallState(), cue: { type: 'opening' } }, new AbortController().signal))
  return far.exchanges[0]?.request.body
}

describe('how a model is asked to think as little as it allows', () => {
  it.each([
    ['gpt-4.1-mini', undefined],
    ['gpt-5-chat-latest', undefined],
    ['gpt-5-mini', 'minimal'],
    ['gpt-5.1', 'none'],
    ['o4-mini', 'low'],
  ])('OpenAI %s: %s', async (model, effort) => {
    expect((await bodyFor('openai', model))?.['reasoning_effort']).toBe(effort)
  })

  it('does not send what an unknown server may refuse', async () => {
    expect(Object.keys((await bodyFor('openai-compatible', 'qwen3')) ?? {}).toSorted()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'stream',
      'stream_options',
      'tool_choice',
      'tools',
    ])
  })

  it('Google', async () => {
    const configOf = async (model: string) => (await bodyFor('google', model))?.['generationConfig']
    expect(await configOf('gemini-2.5-flash')).toMatchObject({ thinkingConfig: { thinkingBudget: 0 } })
    expect(await configOf('gemini-2.0-flash')).not.toHaveProperty('thinkingConfig')
  })

  it('Anthropic, which also keeps the beginning of a call', async () => {
    const body = await bodyFor('anthropic', 'claude-haiku-4-5')
    expect(body).toMatchObject({ thinking: { type: 'disabled' } })
    expect(JSON.stringify(body?.['system'])).toContain('"cache_control":{"type":"ephemeral"}')
  })
})
