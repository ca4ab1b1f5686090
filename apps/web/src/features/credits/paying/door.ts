import { words } from '../../../words/index.ts'

/** The intent to confirm: a payment, or the saving of a card. */
export type Intent = PaymentBegun | SetupBegun

interface Begun {
  readonly clientSecret: string
  /** Created by an earlier page of this tab, so it may be paid already. */
  readonly isResumed: boolean
}

export interface PaymentBegun extends Begun {
  readonly kind: 'payment'
  readonly amountCents: number
  /** The card is saved with the payment. */
  readonly saveCard: boolean
}

interface SetupBegun extends Begun {
  readonly kind: 'setup'
}

/** The processor's answer. `refusal`: its message on the last card. */
export type Answer =
  | { readonly kind: 'intent'; readonly id: string; readonly status: string; readonly refusal?: string | undefined }
  /** Refused, with a message if there is one. */
  | { readonly kind: 'refused'; readonly message: string | undefined }
  /** No response: the payment may or may not have been made. */
  | { readonly kind: 'unreachable' }
  /** The fields report what is missing. */
  | { readonly kind: 'incomplete' }
  /** The processor's form is not ready. */
  | { readonly kind: 'form-not-ready' }

/** The card processor behind the form: Stripe or the sandbox. */
export interface CardDoor {
  confirm(): Promise<Answer>
  /** Reads the intent's status without changing it. */
  look(): Promise<Answer>
}

export type PayState =
  | { readonly phase: 'initial' }
  /** `isSettled`: the bank is deciding. */
  | { readonly phase: 'processing'; readonly isSettled: boolean }
  | { readonly phase: 'success'; readonly intentId: string }
  /** `isAnswered`: no money has moved. `isOver`: this intent can never be paid. */
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

/** The state that follows from the answer to a confirmation. */
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
 * Confirms the payment. Without a response it reads the intent before reporting a failure, because the money may have
 * moved.
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

/** The intent takes no card: paid, processing or canceled. */
export function isDecided(status: string): boolean {
  return status === 'succeeded' || status === 'processing' || status === 'canceled'
}

/** Paid or processing: no card is needed. */
function isOnItsWay(answer: Answer): boolean {
  return answer.kind === 'intent' && (answer.status === 'succeeded' || answer.status === 'processing')
}

/** The state of an intent created earlier: decided, or ready to be paid. */
export async function stateOfResumed(door: CardDoor): Promise<PayState> {
  try {
    const answer = await door.look()
    return answer.kind === 'intent' && isDecided(answer.status) ? stateAfter(answer) : { phase: 'initial' }
  } catch {
    return { phase: 'initial' }
  }
}

/** The state of a processing intent; a network error changes nothing. */
export async function stateWhileProcessing(door: CardDoor): Promise<PayState> {
  const { payment } = words().credits
  const waiting: PayState = { phase: 'processing', isSettled: true }
  try {
    const answer = await door.look()
    if (answer.kind !== 'intent') return waiting
    // The bank refused: the intent waits for another card.
    if (answer.status === 'requires_payment_method')
      return failed(payment.failedTitle, answer.refusal ?? payment.failed)
    return stateAfter(answer)
  } catch {
    return waiting
  }
}
