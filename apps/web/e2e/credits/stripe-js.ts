/** What the page passed to the fake Stripe.js below. */
export interface Seen {
  readonly key: string
  readonly options: { readonly appearance: { readonly variables: { readonly colorPrimary: string } } }
  readonly confirmed: { readonly redirect: string; readonly returnUrl: string; readonly clientSecret: string }
}

/** Fake Stripe.js with the parts that the page uses: becomes ready on demand, and declines. */
export const STRIPE_JS = `
  globalThis.stripeSeen = {}
  const handlers = {}
  const element = {
    mount: (node) => { node.innerHTML = 'Payment Element <input aria-label="Inside Stripe">' },
    on: (name, handler) => { handlers[name] = handler },
    off: () => {}, update: () => {}, destroy: () => {}, unmount: () => {},
  }
  globalThis.stripeReady = () => handlers.ready(element)
  globalThis.Stripe = function (key) {
    globalThis.stripeSeen.key = key
    return {
      elements: (options) => {
        globalThis.stripeSeen.options = options
        return { create: () => element, getElement: () => null, update: () => {}, submit: async () => ({}), on: () => {} }
      },
      createToken: () => {}, createPaymentMethod: () => {}, confirmCardPayment: () => {}, registerAppInfo: () => {}, _registerWrapper: () => {},
      retrievePaymentIntent: async () => ({ paymentIntent: { id: 'pi_1', status: 'requires_payment_method' } }),
      confirmPayment: async ({ redirect, confirmParams, clientSecret }) => {
        globalThis.stripeSeen.confirmed = { redirect, returnUrl: confirmParams.return_url, clientSecret }
        return { error: { type: 'card_error', code: 'card_declined', message: 'Your card has insufficient funds.' } }
      },
    }
  }
  globalThis.Stripe.version = 'endive'
`
