import type { Usage } from '@parley/voice-ports'

type Tokens = Omit<Usage, 'type'>

/** What language models have read and written in one call. */
export class TokenCount {
  readonly #byModel = new Map<string, Tokens>()

  get byModel(): readonly Tokens[] {
    return [...this.#byModel.values()]
  }

  add({ model, inputTokens, outputTokens }: Usage): void {
    const before = this.#byModel.get(model) ?? { model, inputTokens: 0, outputTokens: 0 }
    this.#byModel.set(model, {
      model,
      inputTokens: before.inputTokens + inputTokens,
      outputTokens: before.outputTokens + outputTokens,
    })
  }
}
