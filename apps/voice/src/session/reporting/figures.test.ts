import { CallFigures } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { readPrices, unitPrices } from '../../prices.ts'
import { Figures } from './figures.ts'

const prices = unitPrices(readPrices(undefined))
const figures = () => new Figures({ prices })
const usage = (model: string, inputTokens: number, outputTokens: number) =>
  ({ type: 'usage', model, inputTokens, outputTokens }) as const

describe('Figures', () => {
  it('sums what each vendor did, and its price', () => {
    const call = figures()
    for (const each of [usage('gpt-4o-mini', 1_000_000, 0), usage('gpt-4o-mini', 0, 1_000_000)]) call.used(each)
    call.spoke('elevenlabs', 200)
    call.spoke('elevenlabs', 800)
    call.heard('deepgram', 60_000)
    expect(call.result).toMatchObject({
      tokens: [{ model: 'gpt-4o-mini', inputTokens: 1_000_000, outputTokens: 1_000_000, costMicros: 750_000 }],
      spoken: [{ mouth: 'elevenlabs', characters: 1000 }],
      heard: [{ ear: 'deepgram', seconds: 60 }],
      // 0.75 dollars of tokens, 0.05 of characters, 0.0077 of sound.
      costMicros: 807_700,
      unpriced: [],
    })
  })

  it('keeps apart what judging took, also of the same model', () => {
    const call = figures()
    call.used(usage('gpt-4o-mini', 1_000_000, 0))
    call.used({ ...usage('gpt-4o-mini', 2_000_000, 0), task: 'judging' })
    call.used({ ...usage('llama', 5, 5), task: 'judging' })
    expect(call.result).toMatchObject({
      tokens: [
        { model: 'gpt-4o-mini', inputTokens: 1_000_000, outputTokens: 0, costMicros: 150_000 },
        { model: 'gpt-4o-mini', inputTokens: 2_000_000, outputTokens: 0, task: 'judging', costMicros: 300_000 },
        { model: 'llama', inputTokens: 5, outputTokens: 5, task: 'judging' },
      ],
      costMicros: 450_000,
    })
    expect(CallFigures.parse(call.result)).toEqual(call.result)
  })

  it('names what has no price, and counts it as nothing', () => {
    const call = figures()
    call.used(usage('llama3.2', 100, 100))
    call.spoke('parrot', 10)
    call.heard('conch', 10)
    expect(call.result).toMatchObject({ costMicros: 0, unpriced: ['mind llama3.2', 'mouth parrot', 'ear conch'] })
  })

  it('tells median and 95th percentile of each stage that took place', () => {
    const call = figures()
    for (let delay = 1; delay <= 100; delay++) call.took('first_frame', delay * 10)
    call.took('mind_first_word', 5)
    call.took('mind_first_word', -1)
    call.took('mind_first_word', Number.NaN)
    expect(call.result.stages).toEqual([
      { stage: 'mind_first_word', count: 1, p50Ms: 5, p95Ms: 5 },
      { stage: 'first_frame', count: 100, p50Ms: 500, p95Ms: 950 },
    ])
  })

  it('stays within the bounds of its fact', () => {
    const call = figures()
    for (let each = 0; each < 50; each++) {
      call.used(usage(`model-${each}`, 1, 1))
      call.spoke(`mouth-${each}`, 1)
      call.heard(`ear-${each}`, 1)
    }
    for (let each = 0; each < 5000; each++) call.took('end_of_turn', each)
    expect(CallFigures.safeParse(call.result).error).toBeUndefined()
  })

  it('tells once that the cap is passed, by tokens, characters or sound', () => {
    const told: string[] = []
    const capped = (name: string) => new Figures({ prices, capMicros: 1000, onCap: () => void told.push(name) })
    const [mind, mouth, ear] = [capped('mind'), capped('mouth'), capped('ear')]
    for (let each = 0; each < 2; each++) mind.used(usage('gpt-4o-mini', 5000, 1000))
    mouth.spoke('elevenlabs', 20)
    expect(told).toEqual(['mind'])
    mouth.spoke('elevenlabs', 1)
    for (let frame = 0; frame < 1000; frame++) ear.heard('deepgram', 20)
    expect(told).toEqual(['mind', 'mouth', 'ear'])
  })

  it('takes the first frame of an answer alone', () => {
    const call = figures()
    call.sent(100)
    call.answers(1000)
    for (const playsMs of [1400, 1420]) call.sent(playsMs)
    expect(call.result.stages).toEqual([{ stage: 'first_frame', count: 1, p50Ms: 400, p95Ms: 400 }])
  })
})
