import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@parley/contract/environment'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readPrices, unitPrices } from './prices.ts'

let dir: string
beforeAll(async () => void (dir = await mkdtemp(join(tmpdir(), 'parley-prices-'))))
afterAll(() => rm(dir, { recursive: true }))

async function fileOf(text: string): Promise<string> {
  const path = join(dir, 'prices.json')
  await writeFile(path, text)
  return path
}

describe('the table of prices', () => {
  it('finds a model by the longest beginning of its name', () => {
    const prices = unitPrices(readPrices(undefined))
    expect(prices.tokens('gpt-4o-mini-2024-07-18')).toEqual({ input: 0.15, output: 0.6 })
    expect(prices.tokens('models/gemini-2.5-flash-lite')).toEqual({ input: 0.1, output: 0.4 })
    expect(prices.tokens('llama3.2')).toBeNull()
    expect(prices.characters('ElevenLabs')).toBe(50)
    expect(prices.heardMs('Deepgram nova-3')).toBeCloseTo(0.1283)
  })

  it("is completed and corrected by the operator's file", async () => {
    const own = { models: { llama: { input: 0, output: 0 } }, ears: { deepgram: 0.004 } }
    const table = readPrices(await fileOf(JSON.stringify(own)))
    expect(unitPrices(table).tokens('llama3.2')).toEqual({ input: 0, output: 0 })
    expect([table.ears['deepgram'], table.ears['openai']]).toEqual([0.004, 0.006])
  })

  it.each([
    ['{', 'cannot be read'],
    ['{"models":{"x":{"input":-1,"output":1}}}', 'is not a table of prices'],
    ['{"mouth":{}}', 'is not a table of prices'],
  ])('refuses the file %s in one sentence', async (text, sentence) => {
    const path = await fileOf(text)
    expect(() => readPrices(path)).toThrow(ConfigError)
    expect(() => readPrices(path)).toThrow(sentence)
  })
})
