import { randomKey } from '../../../lib/random.ts'

export interface Attempts {
  /**
   * The same key for the same call until the server has responded, so that a double click or a retry places one call.
   */
  keyFor(order: unknown): string
  /** The server has responded; the same values again are a new call. */
  settle(order: unknown): void
}

export function createAttempts(newKey: () => string = randomKey): Attempts {
  let unanswered: { readonly order: string; readonly key: string } | undefined
  return {
    keyFor(order) {
      const text = JSON.stringify(order)
      if (unanswered?.order !== text) unanswered = { order: text, key: newKey() }
      return unanswered.key
    },
    settle(order) {
      if (unanswered?.order === JSON.stringify(order)) unanswered = undefined
    },
  }
}
