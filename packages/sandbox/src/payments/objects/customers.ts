import type Stripe from 'stripe'
import { z } from 'zod'
import { missing } from '../errors.ts'
import { listOf, metadata, type Params, read, text } from '../form.ts'
import { newId, seconds, type World } from '../world.ts'

const Customer = z.strictObject({
  description: text.optional(),
  email: text.optional(),
  metadata: metadata.optional(),
  name: text.optional(),
  phone: text.optional(),
  expand: listOf(text).optional(),
})

export function createCustomer(world: World, params: Params): Stripe.Customer {
  const { description = null, email = null, metadata: extra = {}, name = null, phone = null } = read(Customer, params)
  const customer = world.store.put('customer', {
    id: newId('cus', 14),
    object: 'customer',
    balance: 0,
    created: seconds(),
    default_source: null,
    delinquent: false,
    description,
    email,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: extra,
    name,
    phone,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  })
  world.emit('customer.created', customer)
  return customer
}

export function findCustomer({ store }: World, id: string): Stripe.Customer {
  const customer = store.find('customer', id)
  if (!customer) throw missing('customer', id)
  return customer
}

export function updateCustomer(world: World, id: string, params: Params): Stripe.Customer {
  const { metadata: extra = {}, expand: _, ...fields } = read(Customer, params)
  const customer = findCustomer(world, id)
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  const updated = world.store.put('customer', { ...customer, ...given, metadata: { ...customer.metadata, ...extra } })
  world.emit('customer.updated', updated)
  return updated
}

/** Deletes a customer and detaches their cards. */
export function deleteCustomer(world: World, id: string): { id: string; object: 'customer'; deleted: true } {
  const customer = findCustomer(world, id)
  for (const method of world.store.all('payment_method')) {
    if (method.customer === id) world.store.put('payment_method', { ...method, customer: null })
  }
  world.store.drop('customer', id)
  world.emit('customer.deleted', customer)
  return { id, object: 'customer', deleted: true }
}
