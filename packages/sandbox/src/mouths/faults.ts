/** What goes wrong with a connection, or the HTTP request of a vendor without sockets. */
export type ConnectFault =
  | { readonly how: 'status'; readonly status: number; readonly body?: string }
  /** Accepted, and never answered. */
  | { readonly how: 'silent' }
  | { readonly how: 'reset' }

/** What goes wrong with a text. */
export type TextFault =
  /** Its first sound comes so much later. */
  | { readonly how: 'late'; readonly ms: number }
  /** Nothing comes after so much sound, with the connection open. */
  | { readonly how: 'silent'; readonly afterMs: number }
  /** The connection breaks after so much sound, in mid-word. */
  | { readonly how: 'dropped'; readonly afterMs: number }
  /** Its sound comes in pieces of odd length, each message in several frames of the socket. */
  | { readonly how: 'odd' }
  /** Words come before their sound, and sound of a text that nobody asked for comes between. */
  | { readonly how: 'disordered' }
  /** Something that is not of this format, after so much sound. */
  | { readonly how: 'garbage'; readonly afterMs: number }
  /** It ends without a sound. */
  | { readonly how: 'empty' }
  /** The vendor's own error message. */
  | { readonly how: 'error'; readonly message: string; readonly code: number }

interface Faults {
  readonly connect: ConnectFault
  readonly text: TextFault
}

/** Faults on demand: each is used up by the next occasions, once by default; Infinity until cleared. */
export class MouthFaults {
  #rules: { readonly point: keyof Faults; readonly fault: Faults[keyof Faults]; left: number }[] = []

  set<P extends keyof Faults>(point: P, fault: Faults[P], times = 1): void {
    this.#rules.push({ point, fault, left: times })
  }

  clear(): void {
    this.#rules = []
  }

  take<P extends keyof Faults>(point: P): Faults[P] | null {
    const rule = this.#rules.find((each) => each.point === point && each.left > 0)
    if (!rule) return null
    rule.left--
    return faultOf(rule)
  }
}

/** A rule was set with the fault type of its point. */
const faultOf = <P extends keyof Faults>(rule: { readonly fault: Faults[keyof Faults] }) => rule.fault as Faults[P]
