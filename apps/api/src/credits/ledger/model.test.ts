import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, withTx } from '../../platform/db.ts'
import { AppError } from '../../platform/errors.ts'
import { testDatabase } from '../../platform/testing.ts'
import { type Balance, balance, clawBack, grant, hold, listExpiredHolds, openWallet, settle } from '../index.ts'
import { checkBooks } from './check.ts'
import { movements } from './statement.ts'

type Step =
  | { do: 'buy' | 'refund'; user: number; key: number; credits: number; bonusCredits: number }
  | { do: 'hold'; user: number; call: number; wantedCredits: number; expiresAtHour: number }
  | { do: 'settle'; call: number; connectedSeconds: number }
  | { do: 'sweep'; hour: number; connectedSeconds: number }

type Answer = Record<string, unknown> | string

interface Call {
  user: number
  wantedCredits: number
  credits: number
  expiresAtHour: number
  connectedSeconds?: number
  chargedCredits?: number
}

/** The rules of prepaid credits as a plain model. */
class Model {
  readonly wallets = Array.from({ length: 3 }, () => ({ posted: 10, held: 0, debt: 0 }))
  readonly calls = new Map<number, Call>()
  readonly effects = new Map<string, string>()

  available(user: number): number {
    return this.wallets[user]!.posted - this.wallets[user]!.held
  }

  do(step: Step): Answer {
    if (step.do === 'hold') return this.hold(step)
    if (step.do === 'settle') return this.settle(step.call, step.connectedSeconds)
    if (step.do === 'sweep') return this.sweep(step.hour, step.connectedSeconds)
    const { user, key, credits, bonusCredits } = step
    const wallet = this.wallets[user]!
    const body = JSON.stringify([user, credits, bonusCredits])
    const earlier = this.effects.get(`${step.do} ${key}`)
    if (earlier !== undefined && earlier !== body) return 'idempotency_mismatch'
    if (earlier === undefined) {
      this.effects.set(`${step.do} ${key}`, body)
      if (step.do === 'buy') {
        wallet.posted += credits + bonusCredits
      } else {
        const taken = Math.min(this.available(user), credits + bonusCredits)
        wallet.posted -= taken
        wallet.debt += credits + bonusCredits - taken
      }
      this.repay(user)
    }
    return { repeated: earlier !== undefined, available: this.available(user) }
  }

  hold({ user, call, wantedCredits, expiresAtHour }: Step & { do: 'hold' }): Answer {
    const earlier = this.calls.get(call)
    if (earlier && (earlier.user !== user || earlier.wantedCredits !== wantedCredits)) return 'idempotency_mismatch'
    if (earlier) return { repeated: true, credits: earlier.credits, available: this.available(user) }
    if (this.wallets[user]!.debt > 0) return 'debt_outstanding'
    if (this.available(user) < 1) return 'insufficient_credits'
    const credits = Math.min(wantedCredits, this.available(user))
    this.calls.set(call, { user, wantedCredits, credits, expiresAtHour })
    this.wallets[user]!.held += credits
    return { repeated: false, credits, available: this.available(user) }
  }

  settle(id: number, connectedSeconds: number): Answer {
    const call = this.calls.get(id)
    if (!call) return 'no hold'
    const repeated = call.connectedSeconds !== undefined
    if (repeated && call.connectedSeconds !== connectedSeconds) return 'idempotency_mismatch'
    if (!repeated) {
      call.connectedSeconds = connectedSeconds
      call.chargedCredits = Math.min(Math.ceil(connectedSeconds / 60), call.credits)
      this.wallets[call.user]!.held -= call.credits
      this.wallets[call.user]!.posted -= call.chargedCredits
      this.repay(call.user)
    }
    return { repeated, chargedCredits: call.chargedCredits, available: this.available(call.user) }
  }

  sweep(hour: number, connectedSeconds: number): Answer {
    const expired = [...this.calls].filter(
      ([, call]) => call.connectedSeconds === undefined && call.expiresAtHour < hour,
    )
    for (const [id] of expired) this.settle(id, connectedSeconds)
    return { swept: expired.map(([id]) => id).sort((one, other) => one - other) }
  }

  repay(user: number): void {
    const wallet = this.wallets[user]!
    const repaid = Math.min(wallet.debt, this.available(user))
    wallet.posted -= repaid
    wallet.debt -= repaid
  }
}

/** The ledger itself, with ids of this run. */
class Real {
  readonly run = randomUUID()
  private readonly database: Database
  constructor(database: Database) {
    this.database = database
  }

  userId = (user: number) => `${this.run}-user-${user}`
  callId = (call: number) => `${this.run}-call-${call}`
  hour = (hour: number) => new Date(Date.UTC(2020, 0, 1, hour))

  async open(): Promise<void> {
    for (const user of [0, 1, 2]) await withTx(this.database.db, (tx) => openWallet(tx, this.userId(user)))
  }

  do(step: Step): Promise<Answer> {
    return withTx(this.database.db, async (tx): Promise<Answer> => {
      switch (step.do) {
        case 'buy':
          return { ...(await grant(tx, { ...this.named(step), kind: 'purchase', key: `pi:${this.run}-${step.key}` })) }
        case 'refund':
          return { ...(await clawBack(tx, { ...this.named(step), key: `re:${this.run}-${step.key}` })) }
        case 'hold': {
          const { user, call, wantedCredits, expiresAtHour } = step
          const expiresAt = this.hour(expiresAtHour)
          return {
            ...(await hold(tx, { userId: this.userId(user), callId: this.callId(call), wantedCredits, expiresAt })),
          }
        }
        case 'settle':
          return { ...(await settle(tx, { callId: this.callId(step.call), connectedSeconds: step.connectedSeconds })) }
        case 'sweep': {
          const expired = await listExpiredHolds(tx, this.hour(step.hour), { limit: 1000 })
          const mine = expired.filter(({ callId }) => callId.startsWith(this.run))
          for (const { callId } of mine) await settle(tx, { callId, connectedSeconds: step.connectedSeconds })
          return { swept: mine.map(({ callId }) => Number(callId.split('-').at(-1))).sort((one, other) => one - other) }
        }
      }
    }).catch((error: unknown) => {
      if (error instanceof AppError) return error.code
      if (error instanceof Error && error.message.includes('no such hold')) return 'no hold'
      throw error
    })
  }

  private named({ user, credits, bonusCredits }: { user: number; credits: number; bonusCredits: number }) {
    return { userId: this.userId(user), credits, bonusCredits, cause: 'A step' }
  }

  async balances(): Promise<Balance[]> {
    return Promise.all([0, 1, 2].map((user) => balance(this.database.db, this.userId(user))))
  }

  /** The balance that each statement ends on. */
  async stated(): Promise<(number | undefined)[]> {
    const pages = await Promise.all(
      [0, 1, 2].map((user) => movements(this.database.db, this.userId(user), { limit: 1 })),
    )
    return pages.map(({ items }) => items[0]?.balance)
  }
}

const user = fc.nat(2)
const seconds = fc.oneof(fc.constantFrom(0, 60, 61), fc.nat(900))
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('buy' as const),
    user,
    key: fc.nat(5),
    credits: fc.integer({ min: 1, max: 8 }),
    bonusCredits: fc.nat(2),
  }),
  fc.record({
    do: fc.constant('refund' as const),
    user,
    key: fc.nat(5),
    credits: fc.integer({ min: 1, max: 8 }),
    bonusCredits: fc.nat(2),
  }),
  fc.record({
    do: fc.constant('hold' as const),
    user,
    call: fc.nat(9),
    wantedCredits: fc.integer({ min: 1, max: 12 }),
    expiresAtHour: fc.nat(20),
  }),
  fc.record({ do: fc.constant('settle' as const), call: fc.nat(9), connectedSeconds: seconds }),
  fc.record({ do: fc.constant('sweep' as const), hour: fc.nat(24), connectedSeconds: seconds }),
)

let database: Database

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test(
  "any order of purchases, refunds, holds and settlements gives the model's balances",
  { timeout: 120_000 },
  async () => {
    const taken = (each: Step): fc.AsyncCommand<Model, Real> => ({
      check: () => true,
      toString: () => JSON.stringify(each),
      async run(model, real) {
        const expected = model.do(each)
        expect(await real.do(each)).toEqual(expected)
        const wallets = model.wallets.map((wallet, index) => ({ ...wallet, available: model.available(index) }))
        expect(await real.balances()).toEqual(wallets)
        expect(await real.stated()).toEqual(wallets.map(({ posted }) => posted))
      },
    })
    const steps = fc.commands([step.map(taken)], { size: 'medium', maxCommands: 30 })
    const agrees = fc.asyncProperty(steps, async (commands) => {
      const real = new Real(database)
      await real.open()
      await fc.asyncModelRun(() => ({ model: new Model(), real }), commands)
      // What a step breaks stays broken, and a run may end with any step.
      await checkBooks(database.db)
    })
    await fc.assert(agrees, { numRuns: 40 })
  },
)
