import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type Stripe from 'stripe'
import type { TestCard } from './cards.ts'

/** Objects of each kind in Stripe's shapes; below the rule, what Stripe does not show. */
export interface Tables {
  customer: Stripe.Customer
  payment_method: Stripe.PaymentMethod
  payment_intent: Stripe.PaymentIntent
  setup_intent: Stripe.SetupIntent
  charge: Stripe.Charge
  refund: Stripe.Refund
  dispute: Stripe.Dispute
  balance_transaction: Stripe.BalanceTransaction
  event: Stripe.Event
  // ----
  /** How the card behind a payment method behaves. */
  card: { id: string; number: TestCard['number']; setUp: boolean }
  /** An authentication under way, for the page that asks. */
  challenge: { id: string; intent: string; returnUrl: string | null }
  /** An event that was not taken yet. */
  delivery: { id: string; attempts: number; dueAt: number }
  /** First answers under an idempotency key. */
  answer: { id: string; request: string; status: number; body: unknown }
}
export type Kind = keyof Tables

interface Change {
  readonly kind: Kind
  readonly id: string
  readonly value: { readonly id: string } | null
}

/**
 * All data of the sandbox, in memory and in an append-only file. Changes are written before they are answered, so a
 * killed process has confirmed nothing that it loses. Objects are replaced, never changed.
 */
export class Store {
  readonly #tables = new Map<Kind, Map<string, { readonly id: string }>>()
  readonly #file: string | undefined
  #changed: Change[] = []

  /** Without a file, nothing outlives the process. */
  constructor(file: string | undefined) {
    this.#file = file
    if (file === undefined) return
    mkdirSync(dirname(file), { recursive: true })
    for (const change of changesIn(file)) this.#keep(change)
    // Compacts the file at each start.
    const all = [...this.#tables].flatMap(([kind, table]) =>
      [...table.values()].map((value) => lineOf([{ kind, id: value.id, value }])),
    )
    writeFileSync(`${file}.new`, all.join(''), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }

  find<K extends Kind>(kind: K, id: string): Tables[K] | undefined {
    return this.#table(kind).get(id)
  }

  /** In the order of insertion. */
  all<K extends Kind>(kind: K): Tables[K][] {
    return [...this.#table(kind).values()]
  }

  put<K extends Kind>(kind: K, value: Tables[K]): Tables[K] {
    const change = { kind, id: value.id, value }
    this.#keep(change)
    this.#changed.push(change)
    return value
  }

  drop(kind: Kind, id: string): void {
    const change = { kind, id, value: null }
    this.#keep(change)
    this.#changed.push(change)
  }

  /** Writes all changes as one line, so that a killed process leaves all of them or none. */
  commit(): void {
    const changes = this.#changed
    this.#changed = []
    if (this.#file !== undefined && changes.length > 0) appendFileSync(this.#file, lineOf(changes), { mode: 0o600 })
  }

  #keep({ kind, id, value }: Change): void {
    const table = this.#tables.get(kind) ?? new Map<string, { readonly id: string }>()
    this.#tables.set(kind, table)
    if (value) table.set(id, value)
    else table.delete(id)
  }

  /** Safe cast: only put() fills a table, with values of its kind. */
  #table<K extends Kind>(kind: K): ReadonlyMap<string, Tables[K]> {
    return (this.#tables.get(kind) ?? new Map()) as ReadonlyMap<string, Tables[K]>
  }
}

function lineOf(changes: readonly Change[]): string {
  return `${JSON.stringify(changes)}\n`
}

/**
 * Reads what commit() wrote; earlier versions wrote each change on its own line. A last line cut off by a crash is
 * skipped: it was not confirmed.
 */
function changesIn(file: string): Change[] {
  const lines = textOf(file).split('\n')
  lines.pop()
  return lines.flatMap((line, at) => changesOf(line) ?? unreadable(file, `line ${at + 1} is not what it wrote`))
}

function changesOf(line: string): readonly Change[] | undefined {
  try {
    const found: unknown = JSON.parse(line)
    const changes: unknown[] = Array.isArray(found) ? found : [found]
    return changes.every(isChange) ? changes : undefined
  } catch {
    return undefined
  }
}

function isChange(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'kind' in value && 'id' in value && 'value' in value
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return code === 'ENOENT' ? '' : unreadable(file, code)
  }
}

function unreadable(file: string, why: string): never {
  throw new Error(
    `The payments of the sandbox in ${file} cannot be read: ${why}. ` +
      'Correct the file, or move it away: the sandbox then begins anew, and your own data stays.',
  )
}
