import { words } from '../../../words/index.ts'

/** What is being confirmed: a payment, or the keeping of a card. */
export type Intent = PaymentBegun | SetupBegun

interface Begun {
  readonly clientSecret: string
  /** Begun by an earlier page of this tab: it may be paid already. */
  readonly isResumed: boolean
}

export interface PaymentBegun extends Begun {
  readonly kind: 'payment'
  readonly amountCents: number
  /** The card is kept with the payment. */
  readonly saveCard: boolean
}

interface SetupBegun extends Begun {
  readonly kind: 'setup'
}

/** What the card processor answers. `refusal`: its sentence on the last card it was shown. */
export type Answer =
  | { readonly kind: 'intent'; readonly id: string; readonly status: string; readonly refusal?: string | undefined }
  /** The processor refuses, with its own sentence where it has one. */
  | { readonly kind: 'refused'; readonly message: string | undefined }
  /** No answer came: the payment may have been made or not. */
  | { readonly kind: 'unreachable' }
  /** The fields say themselves what is missing. */
  | { readonly kind: 'incomplete' }
  /** The processor's form has not been drawn yet. */
  | { readonly kind: 'form-not-ready' }

/** The way to the card processor, from a form that is on the screen: Stripe's own, or the sandbox's. */
export interface CardDoor {
  confirm(): Promise<Answer>
  /** What became of the intent, without doing anything to it. */
  look(): Promise<Answer>
}

export type PayState =
  | { readonly phase: 'initial' }
  /** `isSettled`: the bank has it, and will tell. */
  | { readonly phase: 'processing'; readonly isSettled: boolean }
  | { readonly phase: 'success'; readonly intentId: string }
  /** `isAnswered`: the money has certainly not moved. `isOver`: this intent can never be paid any more. */
  | {
      readonly phase: 'error'
      readonly title: string
      readonly message: string
      readonly isAnswered: boolean
      readonly isOver: boolean
    }

const failed = (title: string, message: string, { isAnswered = true, isOver = false } = {}): PayState => ({
  phase: 'error',
  title,
  message,
  isAnswered,
  isOver,
})

/** What an answer to a confirmation means to the person who pays. */
function stateAfter(answer: Answer): PayState {
  const { payment } = words().credits
  switch (answer.kind) {
    case 'intent':
      if (answer.status === 'succeeded') return { phase: 'success', intentId: answer.id }
      if (answer.status === 'processing') return { phase: 'processing', isSettled: true }
      return failed(payment.errorTitle, payment.status(answer.status), { isOver: answer.status === 'canceled' })
    case 'refused':
      return failed(payment.failedTitle, answer.message ?? payment.failed)
    case 'unreachable':
      return failed(payment.errorTitle, payment.unable, { isAnswered: false })
    case 'form-not-ready':
      return failed(payment.errorTitle, payment.formNotReady)
    case 'incomplete':
      return { phase: 'initial' }
  }
}

/**
 * Asks for the payment. When no answer comes back, asks what became of it before saying that it failed:
 * the money may have moved although the answer was lost.
 */
export async function stateAfterConfirming(door: CardDoor | null): Promise<PayState> {
  const { payment } = words().credits
  if (!door) return failed(payment.errorTitle, payment.notReady)
  try {
    const answer = await door.confirm()
    if (answer.kind !== 'unreachable') return stateAfter(answer)
    const seen = await door.look()
    return isOnItsWay(seen) ? stateAfter(seen) : stateAfter(answer)
  } catch {
    return failed(payment.errorTitle, payment.unexpected, { isAnswered: false })
  }
}

/** No card can be asked for: it is paid already, in the bank's hands, or called off. */
export function isDecided(status: string): boolean {
  return status === 'succeeded' || status === 'processing' || status === 'canceled'
}

/** Paid already, or in the bank's hands: there is nothing left to ask for. */
function isOnItsWay(answer: Answer): boolean {
  return answer.kind === 'intent' && (answer.status === 'succeeded' || answer.status === 'processing')
}

/** How an intent that was begun earlier stands: as it is if it is decided, else ready to be paid. */
export async function stateOfResumed(door: CardDoor): Promise<PayState> {
  try {
    const answer = await door.look()
    return answer.kind === 'intent' && isDecided(answer.status) ? stateAfter(answer) : { phase: 'initial' }
  } catch {
    return { phase: 'initial' }
  }
}

/** How an intent in the bank's hands stands now; a lost connection changes nothing. */
export async function stateWhileProcessing(door: CardDoor): Promise<PayState> {
  const { payment } = words().credits
  const waiting: PayState = { phase: 'processing', isSettled: true }
  try {
    const answer = await door.look()
    if (answer.kind !== 'intent') return waiting
    // The bank said no: the intent waits for another card.
    if (answer.status === 'requires_payment_method')
      return failed(payment.failedTitle, answer.refusal ?? payment.failed)
    return stateAfter(answer)
  } catch {
    return waiting
  }
}
