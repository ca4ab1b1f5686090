/** How a vendor's socket misbehaves. Times are of the sound that came over the connection. */
export type SocketFault =
  /** Instead of the upgrade. */
  | { readonly how: 'refused'; readonly status: number; readonly retryAfter?: string; readonly message?: string }
  /** The upgrade is never answered. */
  | { readonly how: 'never_opens' }
  /** It opens, takes everything, and says nothing. */
  | { readonly how: 'mute' }
  /** The network breaks, in mid-word or wherever it is then. */
  | { readonly how: 'dropped'; readonly afterMs: number }
  /** The network breaks within a message. */
  | { readonly how: 'half_frame'; readonly afterMs: number }
  | { readonly how: 'closed'; readonly afterMs: number; readonly code: number; readonly reason: string }
  /** Messages that are no JSON, or of no known shape; it goes on after them. */
  | { readonly how: 'garbage'; readonly afterMs: number }
  /** The vendor's own message of an error; it goes on, or closes where the vendor does. */
  | { readonly how: 'error'; readonly afterMs: number; readonly code: string }
  /** Everything it says comes so much later. */
  | { readonly how: 'late'; readonly ms: number }
  /** Each second message comes before the one ahead of it. */
  | { readonly how: 'out_of_order' }

/** Faults of the next connections, in their order. */
export class SocketFaults {
  readonly #waiting: (SocketFault | null)[] = []

  /** Of the next connection; null: it has none. */
  next(...faults: readonly (SocketFault | null)[]): void {
    this.#waiting.push(...faults)
  }

  take(): SocketFault | null {
    return this.#waiting.shift() ?? null
  }
}
