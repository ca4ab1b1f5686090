import { randomKey } from '../../../lib/random.ts'

export interface Attempts {
  /**
   * The same key for the same call until the server has responded, so that a double click or a retry places one call.
   */
  keyFor(call: unknown): string
  /** The server has responded; the same values again are a new call. */
  settle(call: unknown): void
}

export function createAttempts(newKey: () => string = randomKey): Attempts {
  let unanswered: { readonly call: string; readonly key: string } | undefined
  return {
    keyFor(call) {
      const text = JSON.stringify(call)
      if (unanswered?.call !== text) unanswered = { call: text, key: newKey() }
      return unanswered.key
    },
    settle(call) {
      if (unanswered?.call === JSON.stringify(call)) unanswered = undefined
    },
  }
}
