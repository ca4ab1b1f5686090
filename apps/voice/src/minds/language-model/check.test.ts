import { startModelFarEnd } from '@parley/sandbox/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { checkModel } from './check.ts'
import { PROVIDERS, settingsOf } from './testing.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const far of open.splice(0)) await far.close()
})

async function farEnd(models?: readonly string[]) {
  const far = await startModelFarEnd({ answer: () => undefined, ...(models && { models }) })
  open.push(far)
  return far
}

describe.each(PROVIDERS)('the check of %s', (provider) => {
  it('asks for the model and spends no tokens', async () => {
    const settings = settingsOf(await farEnd(), provider)
    const far = await farEnd([settings.model])
    const result = await checkModel({ ...settings, baseUrl: settingsOf(far, provider).baseUrl }).run(
      AbortSignal.timeout(5000),
    )
    expect(result).toMatchObject({ ok: true, detail: expect.stringContaining(settings.model) as string })
    expect(far.exchanges).toEqual([])
    expect(far.lookups).toHaveLength(1)
  })

  it('says that the key is refused, and where to correct it', async () => {
    const settings = { ...settingsOf(await farEnd(), provider), apiKey: 'wrong' }
    const result = await checkModel(settings).run(AbortSignal.timeout(5000))
    expect(result).toMatchObject({
      ok: false,
      problem: `The key for ${provider} is refused.`,
      mend: expect.stringMatching(/^Correct .*API_KEY/) as string,
    })
  })

  it('says that there is no such model', async () => {
    const settings = settingsOf(await farEnd(['another']), provider)
    const result = await checkModel(settings).run(AbortSignal.timeout(5000))
    expect(result).toMatchObject({ ok: false, problem: `${settings.baseUrl} has no model ${settings.model}.` })
  })
})
