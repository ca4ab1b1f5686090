import { z } from 'zod'
import { invalid } from './errors.ts'
import { listOf, type Params, read, text, whole } from './form.ts'
import type { Kind, Store, Tables } from './store.ts'

// Pagination of Stripe's lists, and `expand` in every answer.

const Range = z.union([
  whole,
  z.strictObject({ gt: whole.optional(), gte: whole.optional(), lt: whole.optional(), lte: whole.optional() }),
])
const Query = z.strictObject({
  limit: whole.optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: Range.optional(),
  customer: text.optional(),
  payment_intent: text.optional(),
  charge: text.optional(),
  type: text.optional(),
  types: listOf(text).optional(),
  expand: listOf(text).optional(),
})

const LIMIT_DEFAULT = 10
const LIMIT_MAX = 100

/** Lists newest first, with cursors of object ids. */
export function list<K extends Kind>(
  store: Store,
  kind: K,
  url: string,
  params: Params,
  belongs: (item: Tables[K]) => boolean = () => true,
) {
  const query = read(Query, params)
  const limit = query.limit ?? LIMIT_DEFAULT
  if (limit < 1 || limit > LIMIT_MAX)
    throw invalid('Invalid integer: limit must be between 1 and 100', { param: 'limit' })
  const wanted = store
    .all(kind)
    .filter((item) => belongs(item) && matches(item, query))
    .toReversed()
  const after = query.starting_after === undefined ? -1 : indexOf(wanted, query.starting_after, 'starting_after')
  const before =
    query.ending_before === undefined ? wanted.length : indexOf(wanted, query.ending_before, 'ending_before')
  const from = query.ending_before === undefined ? after + 1 : Math.max(0, before - limit)
  const until = Math.min(before, from + limit)
  const more = query.ending_before === undefined ? until < wanted.length : from > 0
  return { object: 'list' as const, url, has_more: more, data: wanted.slice(from, until) }
}

function indexOf(items: readonly { readonly id: string }[], id: string, param: string): number {
  const index = items.findIndex((item) => item.id === id)
  if (index < 0) throw invalid(`No such object: '${id}'`, { code: 'resource_missing', param })
  return index
}

function matches(
  item: object,
  { created, customer, payment_intent, charge, type, types }: z.output<typeof Query>,
): boolean {
  for (const [name, value] of Object.entries({ customer, payment_intent, charge, type })) {
    if (value !== undefined && Reflect.get(item, name) !== value) return false
  }
  if (types && !types.includes(String(Reflect.get(item, 'type')))) return false
  if (created === undefined) return true
  const at = Number(Reflect.get(item, 'created'))
  if (typeof created === 'number') return at === created
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = created
  return at > gt && at >= gte && at < lt && at <= lte
}

const BY_PREFIX: Readonly<Record<string, Kind>> = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  ch: 'charge',
  re: 'refund',
  du: 'dispute',
  txn: 'balance_transaction',
}
const DEPTH_MAX = 4

/** Replaces ids in the answer by whole objects, along paths such as `data.latest_charge.balance_transaction`. */
export function expanded(store: Store, answer: unknown, params: Params): unknown {
  const { expand } = params
  const paths = typeof expand === 'object' ? Object.values(expand) : []
  return paths.reduce<unknown>(
    (value, path) => (typeof path === 'string' ? along(store, value, path.split('.').slice(0, DEPTH_MAX)) : value),
    answer,
  )
}

function along(store: Store, value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((each) => along(store, each, [name, ...rest]))
  if (typeof value !== 'object' || value === null) return value
  if (!(name in value)) throw invalid(`This property cannot be expanded (${name}).`, { param: 'expand' })
  const inner: unknown = Reflect.get(value, name)
  return { ...value, [name]: along(store, fetched(store, inner), rest) }
}

function fetched(store: Store, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const kind = BY_PREFIX[value.slice(0, value.indexOf('_'))]
  return (kind && store.find(kind, value)) ?? value
}
