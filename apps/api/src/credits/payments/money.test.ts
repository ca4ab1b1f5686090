import { randomUUID } from 'node:crypto'
import { checkBooks, hold, reconcilePayments, settle, share } from '@parley/api/testing'
import { PACKAGES, type PackageId, type PaymentsConfig, totalCredits } from '@parley/contract'
import fc from 'fast-check'
import type Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../../../../standalone/src/world.ts'
import { answerBank, CARDS, type CardName, confirm, idIn, openShop, order, process, type Shop } from './testing.ts'

// Payments, events and calls in any order: the books are valid after every step, and at the end they match the
// provider.

type Step =
  | { do: 'pay'; person: number; item: number; card: CardName; accepts: boolean }
  | { do: 'finish' | 'page'; payment: number }
  | { do: 'refund' | 'dispute'; payment: number; percent: number }
  | { do: 'undo refund'; claim: number }
  | { do: 'decide'; claim: number; won: boolean }
  | { do: 'deliver'; events: number[] }
  | { do: 'spend'; person: number; minutes: number }
  | { do: 'reconcile' }

interface Bought {
  readonly person: number
  readonly intentId: string
  readonly packageId: PackageId
}

let shop: Shop
let config: PaymentsConfig

beforeAll(async () => {
  shop = await openShop({ holdEvents: true })
  config = (await (await fetch(`${shop.url}/api/payments/config`)).json()) as PaymentsConfig
})
afterAll(() => shop.close())

/** Two users with their purchases and spent credits in one run. */
class Market {
  readonly people: readonly Person[]
  readonly bought: Bought[] = []
  readonly spent = [0, 0]
  readonly #firstEvent = shop.sandbox.events().length

  constructor(people: readonly Person[]) {
    this.people = people
  }

  events(): Stripe.Event[] {
    return shop.sandbox.events().slice(this.#firstEvent)
  }

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'pay':
        return this.pay(step)
      case 'finish':
        return this.withPayment(step.payment, async ({ intentId }) => shop.sandbox.finishProcessing(intentId))
      case 'page':
        return this.withPayment(step.payment, async ({ person, intentId }) => {
          const { status } = await process(this.people[person]!, intentId)
          if (status !== 200) throw new Error(`The page was answered ${status}`)
        })
      case 'refund':
        return this.withPayment(step.payment, async ({ intentId }) => {
          const { amount } = await shop.stripe.paymentIntents.retrieve(intentId)
          await refusable(
            shop.stripe.refunds.create({ payment_intent: intentId, amount: Math.ceil((amount * step.percent) / 100) }),
          )
        })
      case 'dispute':
        return this.withPayment(step.payment, async ({ intentId }) => {
          const { amount, latest_charge: chargeId } = await shop.stripe.paymentIntents.retrieve(intentId)
          const charge = typeof chargeId === 'string' ? await shop.stripe.charges.retrieve(chargeId) : undefined
          if (charge?.paid && !charge.disputed)
            shop.sandbox.openDispute(intentId, Math.ceil((amount * step.percent) / 100))
        })
      case 'undo refund':
        return this.withClaim('refund.created', step.claim, (id) => void shop.sandbox.failRefund(id))
      case 'decide':
        return this.withClaim('charge.dispute.created', step.claim, async (id) => {
          const { status } = await shop.stripe.disputes.retrieve(id)
          if (status === 'needs_response') shop.sandbox.closeDispute(id, step.won ? 'won' : 'lost')
        })
      case 'deliver':
        // Some twice, some never, newest before oldest.
        return this.deliver(step.events)
      case 'spend':
        return this.spend(step.person, step.minutes)
      case 'reconcile':
        return reconcilePayments(shop.context.credits)
    }
  }

  private async pay({ person, item, card, accepts }: Step & { do: 'pay' }): Promise<void> {
    const packageId = PACKAGES[item]!.id
    const secret = await order(this.people[person]!, packageId)
    this.bought.push({ person, intentId: idIn(secret), packageId })
    const { body } = await confirm(config, secret, CARDS[card])
    if (body.status === 'requires_action') await answerBank(body, accepts ? 'accept' : 'refuse')
  }

  private async withPayment(index: number, act: (bought: Bought) => Promise<void>): Promise<void> {
    const bought = this.bought[index % Math.max(1, this.bought.length)]
    if (bought) await act(bought)
  }

  private async withClaim(type: string, index: number, act: (id: string) => Promise<void> | void): Promise<void> {
    const claims = this.events().filter((event) => event.type === type)
    const claim = claims[index % Math.max(1, claims.length)]
    if (claim && 'id' in claim.data.object) await act(String(claim.data.object.id))
  }

  private async deliver(indexes: number[]): Promise<void> {
    const events = this.events()
    if (events.length === 0) return
    const chosen = indexes.map((index) => events[index % events.length]!.id)
    const statuses = await Promise.all(chosen.map((id) => shop.sandbox.deliver(id)))
    if (statuses.some((status) => status !== 200)) throw new Error(`The webhook answered ${statuses.join(', ')}`)
  }

  private async spend(person: number, minutes: number): Promise<void> {
    const { db } = shop.context
    const call = { callId: randomUUID(), userId: this.people[person]!.user.id }
    // Far enough away: expired holds are released by the product.
    const expiresAt = new Date(Date.now() + 3_600_000)
    const held = await hold(db, { ...call, wantedCredits: minutes, expiresAt }).catch(() => undefined)
    if (!held) return
    const { chargedCredits } = await settle(db, { callId: call.callId, connectedSeconds: minutes * 60 })
    this.spent[person]! += chargedCredits
  }

  /** The balance or debt that the provider's data gives. */
  async due(person: number): Promise<number> {
    let credits = 10 - this.spent[person]!
    for (const { intentId, packageId, person: buyer } of this.bought) {
      if (buyer !== person) continue
      const intent = await shop.stripe.paymentIntents.retrieve(intentId)
      if (intent.status !== 'succeeded') continue
      const of = { payment_intent: intentId, limit: 100 }
      const refunds = (await shop.stripe.refunds.list(of)).data.filter(({ status }) => status === 'succeeded')
      const disputes = (await shop.stripe.disputes.list(of)).data.filter(({ status }) => status !== 'won')
      const returned = [...refunds, ...disputes].reduce((sum, { amount }) => sum + amount, 0)
      const item = PACKAGES.find(({ id }) => id === packageId)!
      const terms = { credits: item.credits, bonusCredits: item.bonus ?? 0, amountCents: intent.amount }
      const taken = share(terms, Math.min(returned, intent.amount))
      credits += totalCredits(item) - taken.credits - taken.bonusCredits
    }
    return credits
  }

  async has(person: number): Promise<number> {
    const { rows } = await shop.context.database.pool.query<{ credits: string }>(
      `select sum(posted) as credits from ledger_account where user_id = $1 and kind in ('wallet', 'debt')`,
      [this.people[person]!.user.id],
    )
    return Number(rows[0]?.credits)
  }
}

/** The provider may refuse a step, such as a second refund. */
async function refusable(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => expect(error).toHaveProperty('type', 'StripeInvalidRequestError'))
}

/** Invariant: Σ purchases = captured − refunded. */
async function expectSalesMatch(): Promise<void> {
  const { rows } = await shop.context.database.pool.query<{ sold: string; paid: string }>(
    `select (select coalesce(sum(case 'sales' when debit then amount when credit then -amount end), 0) from ledger_transfer) as sold,
      (select coalesce(sum(credits - credits * returned_cents / captured_cents), 0) from payment where captured_cents > 0) as paid`,
  )
  expect(rows[0]?.sold).toBe(rows[0]?.paid)
}

const percent = fc.constantFrom(1, 33, 50, 99, 100)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      person: fc.nat(1),
      item: fc.nat(2),
      card: fc.constantFrom<CardName>('good', 'good', 'declined', 'authenticates', 'processing', 'disputes'),
      accepts: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constantFrom('finish' as const, 'page' as const), payment: fc.nat(9) }),
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('refund' as const, 'dispute' as const), payment: fc.nat(9), percent }),
  },
  fc.record({ do: fc.constant('undo refund' as const), claim: fc.nat(5) }),
  fc.record({ do: fc.constant('decide' as const), claim: fc.nat(5), won: fc.boolean() }),
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      events: fc.array(fc.nat(60), { minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('spend' as const),
      person: fc.nat(1),
      minutes: fc.integer({ min: 1, max: 30 }),
    }),
  },
  fc.record({ do: fc.constant('reconcile' as const) }),
)

test(
  "any order of payments, refunds, disputes and repeated, late or lost events gives the provider's balances",
  { timeout: 600_000 },
  async () => {
    const agrees = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 24 }), async (steps) => {
      const market = new Market([await shop.person(), await shop.person()])
      for (const each of steps) {
        await market.do(each)
        await checkBooks(shop.context.db)
        await expectSalesMatch()
      }
      await reconcilePayments(shop.context.credits)
      await checkBooks(shop.context.db)
      for (const person of [0, 1]) expect(await market.has(person)).toBe(await market.due(person))
    })
    await fc.assert(agrees, { numRuns: 12 })
  },
)
