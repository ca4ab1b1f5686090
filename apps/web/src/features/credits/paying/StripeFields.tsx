import { CURRENCY } from '@parley/contract'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type {
  PaymentIntentResult,
  SetupIntentResult,
  Stripe,
  StripeElementsOptionsMode,
  StripeError,
} from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useEffectEvent, useImperativeHandle, useState } from 'react'
import { appearance } from './appearance.ts'
import { type Answer, type CardDoor, type Intent, isDecided } from './door.ts'
import type { FieldsProps } from './fields.ts'

/** One Stripe instance per page. If its script cannot be loaded, the button reports that the system is not ready. */
let loading: { readonly key: string; readonly stripe: Promise<Stripe | null> } | undefined

function stripeOf(key: string): Promise<Stripe | null> {
  if (loading?.key !== key) loading = { key, stripe: loadStripe(key).catch(() => null) }
  return loading.stripe
}

/**
 * The element is created without an intent, which is passed on confirmation: an element created for an intent is
 * bound to it, and a new intent would clear the typed card.
 */
function optionsFor(intent: Intent): StripeElementsOptionsMode {
  const shared = { currency: CURRENCY, allowedPaymentMethodTypes: ['card'] }
  if (intent.kind === 'setup') return { ...shared, mode: 'setup' }
  return {
    ...shared,
    mode: 'payment',
    amount: intent.amountCents,
    setupFutureUsage: intent.saveCard ? 'off_session' : null,
  }
}

export default function StripeFields(props: FieldsProps) {
  const { config, intent } = props
  const [colours] = useState(() => ({ appearance: appearance() }))
  return (
    <Elements stripe={stripeOf(config.publishableKey)} options={{ ...optionsFor(intent), ...colours }}>
      <Fields {...props} />
    </Elements>
  )
}

function Fields({ door, intent, returnUrl, onOpen }: FieldsProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [isDrawn, setIsDrawn] = useState(false)
  const open = useEffectEvent(onOpen)

  useImperativeHandle<CardDoor | null, CardDoor | null>(door, () => {
    if (!stripe || !elements) return null
    const { clientSecret, kind } = intent
    const options = {
      elements,
      clientSecret,
      confirmParams: { return_url: returnUrl },
      redirect: 'if_required',
    } as const
    return {
      async confirm() {
        if (!isDrawn) return { kind: 'form-not-ready' }
        const { error } = await elements.submit()
        if (error) return answerOfError(error)
        return answerTo(await (kind === 'payment' ? stripe.confirmPayment(options) : stripe.confirmSetup(options)))
      },
      async look() {
        return answerTo(
          await (kind === 'payment'
            ? stripe.retrievePaymentIntent(clientSecret)
            : stripe.retrieveSetupIntent(clientSecret)),
        )
      },
    }
  }, [stripe, elements, intent, returnUrl, isDrawn])
  useEffect(() => {
    if (stripe && elements) open()
  }, [stripe, elements, intent])

  return <PaymentElement options={{ layout: 'tabs' }} onReady={() => setIsDrawn(true)} />
}

type Result = PaymentIntentResult | SetupIntentResult

function answerTo(result: Result): Answer {
  if (result.error) return answerOfError(result.error)
  const intent = 'paymentIntent' in result ? result.paymentIntent : result.setupIntent
  if (!intent) throw new Error('Stripe answered with neither an intent nor an error')
  const last = 'last_payment_error' in intent ? intent.last_payment_error : undefined
  return { kind: 'intent', id: intent.id, status: intent.status, refusal: last?.message }
}

function answerOfError(error: StripeError): Answer {
  const { payment_intent: payment, setup_intent: setup } = error
  // Confirmed before, in another tab or with a lost response; or canceled, because another tab created a new one.
  const done = [payment, setup].find((intent) => intent && isDecided(intent.status))
  if (done) return { kind: 'intent', id: done.id, status: done.status }
  switch (error.type) {
    case 'validation_error':
      return { kind: 'incomplete' }
    case 'api_connection_error':
    case 'api_error':
      return { kind: 'unreachable' }
    case 'authentication_error':
    case 'card_error':
    case 'idempotency_error':
    case 'invalid_request_error':
    case 'rate_limit_error':
      return { kind: 'refused', message: error.message }
  }
}
