import type Stripe from 'stripe'

interface Details {
  readonly code?: string
  readonly declineCode?: string
  readonly param?: string
  readonly charge?: string
  readonly paymentIntent?: Stripe.PaymentIntent
  readonly setupIntent?: Stripe.SetupIntent
  readonly paymentMethod?: Stripe.PaymentMethod
}

/** An error answer in Stripe's shape. */
export class Failure extends Error {
  readonly status: number
  readonly type: string
  readonly details: Details

  constructor(status: number, type: string, message: string, details: Details = {}) {
    super(message)
    this.status = status
    this.type = type
    this.details = details
  }

  get body(): { error: Record<string, unknown> } {
    const { code, declineCode, param, charge, paymentIntent, setupIntent, paymentMethod } = this.details
    const error = {
      ...(code === undefined
        ? {}
        : { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
      ...(declineCode === undefined ? {} : { decline_code: declineCode }),
      ...(param === undefined ? {} : { param }),
      ...(charge === undefined ? {} : { charge }),
      ...(paymentIntent ? { payment_intent: paymentIntent } : {}),
      ...(setupIntent ? { setup_intent: setupIntent } : {}),
      ...(paymentMethod ? { payment_method: paymentMethod } : {}),
      message: this.message,
      type: this.type,
    }
    return { error }
  }
}

export function invalid(message: string, details: Details = {}): Failure {
  return new Failure(400, 'invalid_request_error', message, details)
}

export function missing(what: string, id: string, param = 'id'): Failure {
  return new Failure(404, 'invalid_request_error', `No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

/** The card or its bank declined. */
export function refused(message: string, details: Details): Failure {
  return new Failure(402, 'card_error', message, details)
}
