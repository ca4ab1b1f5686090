import { readFileSync } from 'node:fs'
import { ConfigError } from '@parley/contract/environment'
import { z } from 'zod'
import type { UnitPrices } from './session/reporting/figures.ts'

// What vendors charge, in US dollars: a table that is data, which the operator's own file completes or corrects.

const Dollars = z.number().min(0).max(100_000)
const PriceTable = z.strictObject({
  /** By the beginning of a model's name; the longest counts. Per million tokens. */
  models: z.record(z.string().min(1), z.strictObject({ input: Dollars, output: Dollars })).default({}),
  /** By the beginning of a mouth's name. Per million characters. */
  mouths: z.record(z.string().min(1), Dollars).default({}),
  /** By the beginning of an ear's name. Per minute of sound. */
  ears: z.record(z.string().min(1), Dollars).default({}),
})
export type PriceTable = z.output<typeof PriceTable>

/** List prices as the vendors published them in 2025; what runs on this machine costs nothing. */
const LIST_PRICES: PriceTable = {
  models: {
    'gpt-4o': { input: 2.5, output: 10 },
    'gpt-4o-mini': { input: 0.15, output: 0.6 },
    'gpt-4.1': { input: 2, output: 8 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6 },
    'gpt-4.1-nano': { input: 0.1, output: 0.4 },
    'gpt-5': { input: 1.25, output: 10 },
    'gpt-5-mini': { input: 0.25, output: 2 },
    'gpt-5-nano': { input: 0.05, output: 0.4 },
    'gpt-realtime': { input: 32, output: 64 },
    'gpt-realtime-mini': { input: 10, output: 20 },
    'claude-haiku-4-5': { input: 1, output: 5 },
    'claude-sonnet-4': { input: 3, output: 15 },
    'claude-opus-4': { input: 15, output: 75 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
    'gemini-2.5-pro': { input: 1.25, output: 10 },
  },
  mouths: { elevenlabs: 50, cartesia: 39, deepgram: 30, openai: 15, 'espeak-ng': 0, espeak: 0, local: 0 },
  ears: { deepgram: 0.0077, openai: 0.006, local: 0, 'real-time text': 0 },
}

/**
 * @throws ConfigError when the operator's file is not a table of prices
 */
export function readPrices(path: string | undefined): PriceTable {
  if (path === undefined) return LIST_PRICES
  const own = PriceTable.safeParse(jsonOf(path))
  if (!own.success)
    throw new ConfigError(
      `PRICES: the file ${path} is not a table of prices: ${z.prettifyError(own.error)}. Correct it.`,
    )
  const { models, mouths, ears } = own.data
  return {
    models: { ...LIST_PRICES.models, ...models },
    mouths: { ...LIST_PRICES.mouths, ...mouths },
    ears: { ...LIST_PRICES.ears, ...ears },
  }
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`PRICES: the file ${path} cannot be read: ${reason}. Correct the path or the file.`)
  }
}

/** Names that vendors or we put before a model's own, as in "models/gemini-2.5-pro". */
const bareName = (model: string) => model.slice(model.lastIndexOf('/') + 1)

/** By the longest beginning of the name; null: there is no price. */
function priceOf<Price>(prices: Readonly<Record<string, Price>>, name: string): Price | null {
  const known = Object.keys(prices)
    .filter((each) => name.toLowerCase().startsWith(each.toLowerCase()))
    .toSorted((a, b) => b.length - a.length)[0]
  return (known === undefined ? undefined : prices[known]) ?? null
}

const MS_PER_MINUTE = 60_000
const MICROS = 1_000_000

/** In millionths of a US dollar a token, a character and a millisecond: per million is per piece in millionths. */
export function unitPrices(table: PriceTable): UnitPrices {
  return {
    tokens: (model) => priceOf(table.models, bareName(model)),
    characters: (mouth) => priceOf(table.mouths, mouth),
    heardMs(ear) {
      const perMinute = priceOf(table.ears, ear)
      return perMinute === null ? null : (perMinute * MICROS) / MS_PER_MINUTE
    },
  }
}
