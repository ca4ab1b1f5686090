import type { TwilioAccessAt } from '../telephony/children.ts'

// What the processes of this bench tell each other.

/** What every callee says, after each reply. */
export const LINE = 'Seven in the evening is fine for us.'
export const REPLY =
  'Thank you for telling me that. Which days of the week are you open, and until when in the evening?'

export type FarQuestion =
  | { readonly type: 'vendors'; readonly calls: number; readonly mindMs: number; readonly mouthMs: number }
  | { readonly type: 'streams' }
  | { readonly type: 'phones'; readonly calls: number; readonly url: string }

interface VendorAt {
  readonly url: string
  readonly apiKey: string
}

export interface Vendors {
  readonly twilio: TwilioAccessAt
  /** One a call: their recognition is scripted. */
  readonly ears: readonly VendorAt[]
  readonly mind: VendorAt
  readonly mouth: VendorAt
}

export interface CoreOrder {
  readonly type: 'calls'
  readonly calls: number
  readonly mindMs: number
  readonly mouthMs: number
  readonly settleMs: number
  readonly measureMs: number
}

export interface Held {
  /** Share of one core, of all calls. */
  readonly cpu: number
  /** From the callee's last loud frame to the agent's first. */
  readonly replyMs: readonly number[]
  /** Lateness of a bare 20 ms timer of the same process: the lower bound of this machine. */
  readonly timerMs: readonly number[]
}

export const numberOf = (index: number) => `+1212555${String(index).padStart(4, '0')}`
export const indexOf = (number: string) => Number(number.slice(-4))
