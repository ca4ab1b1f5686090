import { createLog, type readConfig, thinkingOf, unitPrices } from '@parley/voice/adapters'
import { type Mind, systemClock, type Usage } from '@parley/voice-ports'
import { table } from '../rehearsal/words.ts'
import { type Duplex, duplexOf, together } from './duplex.ts'
import { CALLED } from './evaluation.ts'
import { type Fault, faultsOf } from './score.ts'
import { stageLive } from './stage.ts'

type Config = ReturnType<typeof readConfig>

interface LiveCall {
  readonly number: string
  readonly end: string
  readonly faults: readonly (Fault | 'call_failed')[]
  readonly duplex: Duplex | null
}

export interface LiveEvaluation {
  readonly mind: string
  readonly repeat: number
  readonly calls: readonly LiveCall[]
  /** Share of all calls without a fault, and of the personas whose calls were all without one. */
  readonly passAt1: number
  readonly passAll: number
  readonly faults: Readonly<Record<string, number>>
  readonly duplex: Duplex
  /** Of replies and observations; conclusions are not counted. */
  readonly inputTokens: number
  readonly outputTokens: number
  /** null: a model without a price. */
  readonly dollars: number | null
}

/** Every persona `repeat` times with the operator's own models, in real time. */
export async function evaluateLive(config: Config, repeat: number, numbers = CALLED): Promise<LiveEvaluation> {
  const { mind, ears } = await thinkingOf({ config, log: createLog('silent'), clock: systemClock() })
  const spent: Usage[] = []
  const metered = meteredMind(mind, spent)
  const calls: LiveCall[] = []
  // The personas at once, as rehearsals do; the rounds one after the other, for the vendor's limits.
  for (let round = 0; round < repeat; round++)
    calls.push(...(await Promise.all(numbers.map((number) => liveCall(metered, number, ears)))))
  const isGood = ({ faults }: LiveCall) => faults.length === 0
  const faults: Record<string, number> = {}
  for (const fault of calls.flatMap((call) => call.faults)) faults[fault] = (faults[fault] ?? 0) + 1
  const passed = numbers.filter((number) => calls.filter((call) => call.number === number).every(isGood))
  return {
    mind: mind.name,
    repeat,
    calls,
    passAt1: calls.filter(isGood).length / calls.length,
    passAll: passed.length / numbers.length,
    faults,
    duplex: together(calls.flatMap(({ duplex }) => duplex ?? [])),
    inputTokens: spent.reduce((sum, { inputTokens }) => sum + inputTokens, 0),
    outputTokens: spent.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    dollars: dollarsOf(spent, config),
  }
}

async function liveCall(mind: Mind, number: string, ears: Parameters<typeof stageLive>[2]): Promise<LiveCall> {
  try {
    const call = await stageLive(mind, number, ears)
    return { number, end: call.ended.reason, faults: faultsOf(call), duplex: duplexOf(call.speech) }
  } catch {
    return { number, end: 'none', faults: ['call_failed'], duplex: null }
  }
}

function meteredMind(mind: Mind, spent: Usage[]): Mind {
  async function* metered<T extends { readonly type: string }>(events: AsyncIterable<T | Usage>) {
    for await (const event of events) {
      if (isUsage(event)) spent.push(event)
      yield event
    }
  }
  return {
    ...mind,
    respond: (asked, signal) => metered(mind.respond(asked, signal)),
    observe: (asked, signal) => metered(mind.observe?.(asked, signal) ?? none()),
  }
}

async function* none(): AsyncGenerator<never> {
  // A mind without an observer finds nothing.
}

const isUsage = (event: { readonly type: string }): event is Usage => event.type === 'usage'

const MICROS = 1_000_000

function dollarsOf(spent: readonly Usage[], { prices }: Config): number | null {
  return spent.reduce<number | null>((sum, { model, inputTokens, outputTokens }) => {
    const price = unitPrices(prices).tokens(model)
    if (sum === null || price === null) return null
    return sum + (price.input * inputTokens + price.output * outputTokens) / MICROS
  }, 0)
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`

export function liveReportOf(live: LiveEvaluation): string {
  const { calls, repeat, passAt1, passAll, faults, inputTokens, outputTokens, dollars } = live
  const rows = calls.map(({ number, end, faults: found }) => [number, end, found.join(', ') || 'none'])
  const kinds = Object.entries(faults).map(([fault, count]) => `${fault} ${count}`)
  return [
    table([['number', 'end', 'faults'], ...rows]),
    '',
    `${live.mind}: pass@1 ${percent(passAt1)}, pass^${repeat} ${percent(passAll)}`,
    `Faults: ${kinds.join(', ') || 'none'}`,
    `Tokens: ${inputTokens} in, ${outputTokens} out; ${dollars === null ? 'no price known' : `$${dollars.toFixed(4)}`}`,
  ].join('\n')
}
