import type Stripe from 'stripe'
import { cancelIntent, confirmIntent, createIntent, findIntent } from './objects/intents.ts'
import { createCustomer, deleteCustomer, findCustomer, updateCustomer } from './objects/customers.ts'
import { closeDispute, findDispute, updateDispute } from './objects/disputes.ts'
import { missing } from './errors.ts'
import type { Params } from './form.ts'
import { list } from './lists.ts'
import { attach, createPaymentMethod, detach, findPaymentMethod } from './objects/payment-methods.ts'
import { createRefund } from './objects/refunds.ts'
import { cancelSetup, confirmSetup, createSetup, findSetup } from './objects/setups.ts'
import type { Kind } from './store.ts'
import { secretFits, type World } from './world.ts'

/** secret: a program's key, for everything. page: a page's publishable key, for what its form needs. */
type Caller = 'secret' | 'page'

interface Asked {
  readonly world: World
  readonly id: string
  readonly params: Params
  readonly caller: Caller
}

interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `:id` stands for an id. */
  readonly path: string
  readonly forPages?: boolean
  answer(asked: Asked): unknown
}

/** Stripe's paths that a shop selling by card needs. */
const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/v1/payment_methods',
    forPages: true,
    answer: ({ world, params }) => createPaymentMethod(world, params),
  },
  { method: 'GET', path: '/v1/payment_methods/:id', answer: ({ world, id }) => findPaymentMethod(world, id) },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    answer: ({ world, id, params }) => attach(world, id, params),
  },
  { method: 'POST', path: '/v1/payment_methods/:id/detach', answer: ({ world, id }) => detach(world, id) },
  {
    method: 'GET',
    path: '/v1/customers/:id/payment_methods',
    answer: ({ world, id, params }) =>
      list(
        world.store,
        'payment_method',
        `/v1/customers/${id}/payment_methods`,
        params,
        ({ customer }) => customer === id,
      ),
  },

  { method: 'POST', path: '/v1/payment_intents', answer: ({ world, params }) => createIntent(world, params) },
  {
    method: 'GET',
    path: '/v1/payment_intents/:id',
    forPages: true,
    answer: (asked) => shown(asked, findIntent(asked.world, asked.id)),
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/confirm',
    forPages: true,
    answer(asked) {
      shown(asked, findIntent(asked.world, asked.id))
      return shown(asked, confirmIntent(asked.world, asked.id, asked.params))
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_intents/:id/cancel',
    answer: ({ world, id, params }) => cancelIntent(world, id, params),
  },
  listed('payment_intent', '/v1/payment_intents'),

  { method: 'POST', path: '/v1/setup_intents', answer: ({ world, params }) => createSetup(world, params) },
  {
    method: 'GET',
    path: '/v1/setup_intents/:id',
    forPages: true,
    answer: (asked) => shown(asked, findSetup(asked.world, asked.id)),
  },
  {
    method: 'POST',
    path: '/v1/setup_intents/:id/confirm',
    forPages: true,
    answer(asked) {
      shown(asked, findSetup(asked.world, asked.id))
      return shown(asked, confirmSetup(asked.world, asked.id, asked.params))
    },
  },
  { method: 'POST', path: '/v1/setup_intents/:id/cancel', answer: ({ world, id }) => cancelSetup(world, id) },
  listed('setup_intent', '/v1/setup_intents'),

  { method: 'POST', path: '/v1/customers', answer: ({ world, params }) => createCustomer(world, params) },
  { method: 'GET', path: '/v1/customers/:id', answer: ({ world, id }) => findCustomer(world, id) },
  { method: 'POST', path: '/v1/customers/:id', answer: ({ world, id, params }) => updateCustomer(world, id, params) },
  { method: 'DELETE', path: '/v1/customers/:id', answer: ({ world, id }) => deleteCustomer(world, id) },
  listed('customer', '/v1/customers'),

  { method: 'POST', path: '/v1/refunds', answer: ({ world, params }) => createRefund(world, params) },
  found('refund', '/v1/refunds'),
  listed('refund', '/v1/refunds'),

  { method: 'GET', path: '/v1/disputes/:id', answer: ({ world, id }) => findDispute(world, id) },
  { method: 'POST', path: '/v1/disputes/:id', answer: ({ world, id, params }) => updateDispute(world, id, params) },
  { method: 'POST', path: '/v1/disputes/:id/close', answer: ({ world, id }) => closeDispute(world, id, 'lost') },
  listed('dispute', '/v1/disputes'),

  found('charge', '/v1/charges'),
  listed('charge', '/v1/charges'),
  found('balance_transaction', '/v1/balance_transactions'),
  listed('balance_transaction', '/v1/balance_transactions'),
  found('event', '/v1/events'),
  listed('event', '/v1/events'),
]

function found(kind: Kind, path: string): Route {
  return {
    method: 'GET',
    path: `${path}/:id`,
    answer({ world, id }) {
      const object = world.store.find(kind, id)
      if (!object) throw missing(kind, id)
      return object
    },
  }
}

function listed(kind: Kind, path: string): Route {
  return { method: 'GET', path, answer: ({ world, params }) => list(world.store, kind, path, params) }
}

/** A page reads an intent only with its client secret, and without metadata and customer. */
function shown({ caller, params, id }: Asked, intent: Stripe.PaymentIntent | Stripe.SetupIntent): unknown {
  if (caller === 'secret') return intent
  const secret = params['client_secret']
  if (!secretFits(typeof secret === 'string' ? secret : undefined, intent)) throw missing(intent.object, id, 'intent')
  const { metadata: _, customer: __, ...rest } = intent
  return rest
}

export function match(method: string, pathname: string): { readonly route: Route; readonly id: string } | undefined {
  for (const route of ROUTES) {
    const id = route.method === method ? idIn(route.path, pathname) : undefined
    if (id !== undefined) return { route, id }
  }
  return undefined
}

/** The id in a path; empty for a path without one. */
function idIn(path: string, pathname: string): string | undefined {
  const [wanted, given] = [path.split('/'), pathname.split('/')]
  if (wanted.length !== given.length) return undefined
  if (!wanted.every((segment, index) => segment === ':id' || segment === given[index])) return undefined
  return wanted.includes(':id') ? decodeURIComponent(given[wanted.indexOf(':id')] ?? '') : ''
}
