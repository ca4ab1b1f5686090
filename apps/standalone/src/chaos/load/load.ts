import {
  amountCents,
  batchesRoutes,
  callsRoutes,
  creditsRoutes,
  packageById,
  pathOf,
  PaymentIntentReply,
  SANDBOX_KEYS,
  totalCredits,
} from '@parley/contract'
import { z } from 'zod'
import { CARDS, confirm, idIn } from '../../../../api/src/credits/payments/testing.ts'
import { AREAS } from '../../long-run/testing.ts'
import type { Person } from '../../world.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { between, pick, type Random, randomOf } from '../random.ts'
import { type Answered, ask, askUntilAnswered } from './client.ts'

/** An order that an api has answered with 201. */
export interface Accepted {
  readonly kind: 'call' | 'batch'
  /** Its purpose or name: no other order of the run has it. */
  readonly key: string
  readonly id: string
  readonly userId: string
}

/** How often each thing was done, and how often an api said no. */
export type Counts = Record<'calls' | 'lists' | 'payments' | 'stops' | 'refused' | 'unanswered', number>

type Setting = Pick<Cluster, 'apiUrls' | 'origin' | 'paymentsUrl'>

const PAUSE_MS = [700, 2200] as const
const LIST_ROWS = [3, 6] as const
/** Orders that are under way at the end are asked for this long: an api may only just be back. */
const LAST_ANSWERS_MS = 60_000
/** Callees of the simulated network whose calls are short. */
const CALLEES = ['00', '01', '02', '04', '05', '06', '10', '12', '14']
const OPTS_OUT = '09'
const Made = z.union([z.object({ id: z.string() }), z.object({ batchId: z.string() })])

type Work = (person: Person) => Promise<void>

/** People who place calls and lists, stop calls and buy credits, until they are stopped. */
export class Load {
  readonly accepted: Accepted[] = []
  readonly counts: Counts = { calls: 0, lists: 0, payments: 0, stops: 0, refused: 0, unanswered: 0 }
  readonly #setting: Setting
  readonly #random: Random
  readonly #running: Promise<void>[]
  #over: number | undefined
  #orders = 0

  constructor(setting: Setting, people: readonly Person[], seed: number) {
    this.#setting = setting
    this.#random = randomOf(seed)
    this.#running = people.map((person) => this.#act(person))
  }

  /** Resolves when what was under way is answered. */
  async stop(): Promise<void> {
    this.#over = Date.now()
    await Promise.all(this.#running)
  }

  async #act(person: Person): Promise<void> {
    while (this.#over === undefined) {
      await this.#pickWork()(person)
      await new Promise((resolve) => setTimeout(resolve, between(this.#random, ...PAUSE_MS)))
    }
  }

  #pickWork(): Work {
    const drawn = this.#random()
    if (drawn < 0.6) return (person) => this.#call(person, pick(this.#random, CALLEES))
    if (drawn < 0.7) return (person) => this.#call(person, OPTS_OUT)
    if (drawn < 0.8) return (person) => this.#list(person)
    if (drawn < 0.92) return (person) => this.#buy(person)
    return (person) => this.#stopCall(person)
  }

  #phone(ending: string): string {
    return `+1${pick(this.#random, AREAS)}55501${ending}`
  }

  async #call(person: Person, ending: string): Promise<void> {
    this.counts.calls++
    const key = `order ${++this.#orders}`
    const body = { callee: this.#phone(ending), purpose: `Ask about ${key}`, maxDurationMinutes: 2 }
    await this.#order(person, { kind: 'call', key, path: callsRoutes.place.path, body })
  }

  async #list(person: Person): Promise<void> {
    this.counts.lists++
    const key = `order ${++this.#orders}`
    const phones = new Set(
      Array.from({ length: between(this.#random, ...LIST_ROWS) }, () => this.#phone(pick(this.#random, CALLEES))),
    )
    const calls = [...phones].map((callee) => ({ callee, purpose: `Ask about ${key}`, maxDurationMinutes: 1 }))
    const consent = { marketing: false, permission: 'relationship', details: 'They have booked' }
    const body = { name: key, calls, consent, callsPerMinute: 600 }
    await this.#order(person, { kind: 'batch', key, path: batchesRoutes.create.path, body })
  }

  async #order(
    person: Person,
    { kind, key, path, body }: Omit<Accepted, 'id' | 'userId'> & { readonly path: string; readonly body: unknown },
  ): Promise<void> {
    const answer = await this.#insist(person, { path, body, key })
    if (answer?.status !== 201) return
    const made = Made.parse(answer.body)
    this.accepted.push({ kind, key, id: 'id' in made ? made.id : made.batchId, userId: person.user.id })
  }

  async #buy(person: Person): Promise<void> {
    const item = packageById('light')
    if (!item) throw new Error('There is no such package.')
    this.counts.payments++
    const body = { amount: amountCents(item), credits: totalCredits(item), packageId: item.id }
    const key = `payment ${++this.#orders}`
    const answer = await this.#insist(person, { path: creditsRoutes.createPaymentIntent.path, body, key })
    const begun = PaymentIntentReply.safeParse(answer?.body).data
    if (!begun) return
    // Whoever loses the provider here has not paid, or learns of it later: the api has to find out by itself.
    const config = {
      mode: 'sandbox',
      publishableKey: SANDBOX_KEYS.publishable,
      apiUrl: this.#setting.paymentsUrl,
    } as const
    const paid = await confirm(config, begun.clientSecret, CARDS.good).catch(() => undefined)
    if (paid?.body.status !== 'succeeded') return
    const seen = { paymentIntentId: idIn(begun.clientSecret) }
    const path = creditsRoutes.processPaymentSuccess.path
    await ask(this.#setting, person, { method: 'POST', path, body: seen }, this.#random)
  }

  async #stopCall(person: Person): Promise<void> {
    const call = this.accepted.findLast(({ kind, userId }) => kind === 'call' && userId === person.user.id)
    if (!call) return
    this.counts.stops++
    const path = pathOf(callsRoutes.change, { id: call.id })
    await ask(this.#setting, person, { method: 'PATCH', path, body: { action: 'stop' } }, this.#random)
  }

  async #insist(
    person: Person,
    { path, body, key }: { readonly path: string; readonly body: unknown; readonly key: string },
  ): Promise<Answered | undefined> {
    const isPatient = () => this.#over === undefined || Date.now() - this.#over < LAST_ANSWERS_MS
    const wanted = { method: 'POST', path, body, key } as const
    const answer = await askUntilAnswered(this.#setting, person, wanted, this.#random, isPatient)
    if (answer === undefined) this.counts.unanswered++
    else if (answer.status >= 400) this.counts.refused++
    return answer
  }
}
