import { type CallFigures, STAGES, type Stage } from '@parley/contract'
import type { Usage } from '@parley/voice-ports'

/** What vendors charge for one unit, in millionths of a US dollar; null: there is no price. */
export interface UnitPrices {
  tokens(model: string): { readonly input: number; readonly output: number } | null
  characters(mouth: string): number | null
  heardMs(ear: string): number | null
}

type Tokens = Omit<Usage, 'type'>

export interface FiguresOptions {
  readonly prices: UnitPrices
  /** In millionths of a US dollar. */
  readonly capMicros?: number | undefined
  /** The call has cost more than its cap. Once. */
  readonly onCap?: () => void
  readonly onTook?: ((stage: Stage, delayMs: number) => void) | undefined
}

/** More delays of one stage than these are not kept: a call of the longest duration has fewer turns. */
const DELAYS_MAX = 2000
const PARTS_MAX = 20
const WEIGHED_EVERY_MS = 1000

/** What one call takes of its vendors, and how long each stage of its replies took. */
export class Figures {
  readonly #options: FiguresOptions
  readonly #delays = new Map<Stage, number[]>()
  readonly #tokens = new Map<string, Tokens>()
  readonly #characters = new Map<string, number>()
  readonly #heardMs = new Map<string, number>()
  #ear = ''
  /** What #ear has heard and the map has not yet: it grows with each frame. */
  #freshHeardMs = 0
  #isCapped = false
  /** The end of the callee's turn that the agent is about to answer. */
  #answersSinceMs: number | null = null

  constructor(options: FiguresOptions) {
    this.#options = options
  }

  get tokens(): readonly Tokens[] {
    return [...this.#tokens.values()]
  }

  /** Delays that are negative or no number are those of an adapter in disorder. */
  took(stage: Stage, delayMs: number): void {
    if (!(delayMs >= 0)) return
    this.#options.onTook?.(stage, delayMs)
    const delays = this.#delays.get(stage) ?? []
    this.#delays.set(stage, delays)
    if (delays.length < DELAYS_MAX) delays.push(delayMs)
  }

  used({ model, inputTokens, outputTokens, task }: Usage): void {
    const key = `${model} ${task ?? ''}`
    const before = this.#tokens.get(key) ?? { model, inputTokens: 0, outputTokens: 0, ...(task && { task }) }
    this.#tokens.set(key, {
      ...before,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
    })
    this.#weigh()
  }

  spoke(mouth: string, characters: number): void {
    this.#characters.set(mouth, (this.#characters.get(mouth) ?? 0) + characters)
    this.#weigh()
  }

  heard(ear: string, ms: number): void {
    if (ear !== this.#ear) this.#addHeard()
    this.#ear = ear
    this.#freshHeardMs += ms
    if (this.#freshHeardMs >= WEIGHED_EVERY_MS) this.#weigh()
  }

  /** The agent's answer to words that ended then is played from here on. */
  answers(sinceMs: number | null): void {
    this.#answersSinceMs = sinceMs
  }

  /** A frame of the agent leaves, to be heard then. */
  sent(playsMs: number): void {
    if (this.#answersSinceMs === null) return
    this.took('first_frame', playsMs - this.#answersSinceMs)
    this.#answersSinceMs = null
  }

  #weigh(): void {
    const { capMicros, onCap } = this.#options
    this.#addHeard()
    if (this.#isCapped || capMicros === undefined || this.costMicros <= capMicros) return
    this.#isCapped = true
    onCap?.()
  }

  #addHeard(): void {
    if (this.#freshHeardMs > 0) this.#heardMs.set(this.#ear, (this.#heardMs.get(this.#ear) ?? 0) + this.#freshHeardMs)
    this.#freshHeardMs = 0
  }

  /** So far, in millionths of a US dollar. */
  get costMicros(): number {
    this.#addHeard()
    return Math.round(this.#parts().reduce((sum, { micros }) => sum + (micros ?? 0), 0))
  }

  get result(): CallFigures {
    this.#addHeard()
    const stages = STAGES.flatMap((stage) => {
      const sorted = (this.#delays.get(stage) ?? []).toSorted((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
      return sorted.length === 0 ? [] : [{ stage, count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95) }]
    })
    const seconds = (ms: number) => Math.round(ms) / 1000
    return {
      stages,
      tokens: this.tokens.slice(0, PARTS_MAX).map((tokens) => {
        const micros = this.#microsOf(tokens)
        return { ...tokens, ...(micros !== null && { costMicros: Math.round(micros) }) }
      }),
      spoken: [...this.#characters].slice(0, PARTS_MAX).map(([mouth, characters]) => ({ mouth, characters })),
      heard: [...this.#heardMs].slice(0, PARTS_MAX).map(([ear, ms]) => ({ ear, seconds: seconds(ms) })),
      costMicros: this.costMicros,
      unpriced: this.#parts()
        .flatMap(({ name, micros }) => (micros === null ? [name] : []))
        .filter((name, at, all) => all.indexOf(name) === at)
        .slice(0, PARTS_MAX * 3),
    }
  }

  #microsOf({ model, inputTokens, outputTokens }: Tokens): number | null {
    const price = this.#options.prices.tokens(model)
    return price && inputTokens * price.input + outputTokens * price.output
  }

  #parts(): { readonly name: string; readonly micros: number | null }[] {
    const times = (count: number, price: number | null) => (price === null ? null : count * price)
    return [
      ...this.tokens.map((tokens) => ({ name: `mind ${tokens.model}`, micros: this.#microsOf(tokens) })),
      ...[...this.#characters].map(([mouth, characters]) => ({
        name: `mouth ${mouth}`,
        micros: times(characters, this.#options.prices.characters(mouth)),
      })),
      ...[...this.#heardMs].map(([ear, ms]) => ({
        name: `ear ${ear}`,
        micros: times(ms, this.#options.prices.heardMs(ear)),
      })),
    ]
  }
}

/** Where nobody asks for prices. */
export const NO_PRICES: UnitPrices = { tokens: () => null, characters: () => null, heardMs: () => null }
