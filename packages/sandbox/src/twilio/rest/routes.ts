import { timingSafeEqual } from 'node:crypto'
import { API_VERSION, type CallOrder, LiveCall } from '../calls/call.ts'
import { notFound, Refusal } from './errors.ts'
import type { Faults, RequestFault } from '../faults.ts'
import { type Answer, type Outcome, type Question, refused } from './http.ts'
import { filtered, page } from './lists.ts'
import { hookOf, orderOf, sourceOf, validationOf } from './order.ts'
import { accountResource, callerIdResource, callResource, numberResource } from './resources.ts'
import type { World } from '../world.ts'

/** Calls that a far end remembers. */
const CALLS_MAX = 20_000
/** Twilio calls from one of its own numbers to validate another. */
const VALIDATOR = '+14157234000'

interface Asked extends Question {
  /** The SID in the path; empty without one. */
  readonly sid: string
}

interface Route {
  readonly method: 'GET' | 'POST'
  /** Behind the account; a group is the SID. */
  readonly path: RegExp
  answer(asked: Asked): Answer | Promise<Outcome>
}

/** The paths of the 2010 API that a customer needs for calls. */
export class Api {
  readonly calls = new Map<string, LiveCall>()
  readonly #world: World
  readonly #credentials: readonly string[]
  readonly #routes: readonly Route[] = [
    { method: 'POST', path: /^\/Calls\.json$/, answer: (asked) => this.#createCall(asked) },
    { method: 'GET', path: /^\/Calls\.json$/, answer: (asked) => this.#listCalls(asked) },
    { method: 'GET', path: /^\/Calls\/(CA[0-9a-f]{32})\.json$/, answer: (asked) => this.#fetchCall(asked) },
    { method: 'POST', path: /^\/Calls\/(CA[0-9a-f]{32})\.json$/, answer: (asked) => this.#updateCall(asked) },
    { method: 'GET', path: /^\.json$/, answer: () => ok(accountResource(this.#world.account)) },
    { method: 'GET', path: /^\/Balance\.json$/, answer: () => this.#balance() },
    { method: 'GET', path: /^\/IncomingPhoneNumbers\.json$/, answer: (asked) => this.#listNumbers(asked) },
    { method: 'GET', path: /^\/OutgoingCallerIds\.json$/, answer: (asked) => this.#listCallerIds(asked) },
    { method: 'POST', path: /^\/OutgoingCallerIds\.json$/, answer: (asked) => this.#validate(asked) },
  ]

  constructor(world: World, credentials: readonly string[]) {
    this.#world = world
    this.#credentials = credentials
  }

  async answer(question: Question): Promise<Outcome> {
    this.#authorize(question)
    const base = `/${API_VERSION}/Accounts/${this.#world.account.sid}`
    if (!question.path.startsWith(base)) throw notFound(question.path)
    const path = question.path.slice(base.length)
    const routes = this.#routes.filter((route) => route.path.test(path))
    const route = routes.find(({ method }) => method === question.method)
    if (routes[0] && !route) throw new Refusal(20004, 'Method not allowed')
    if (!route) throw notFound(question.path)
    const fault = this.#world.faults.take('request', { to: question.form.get('To') })
    const answer = () => route.answer({ ...question, sid: route.path.exec(path)?.[1] ?? '' })
    return fault ? this.#failing(fault, answer) : answer()
  }

  /** Places a call of the account, or one that Twilio places itself. */
  place(order: CallOrder): LiveCall {
    const call = new LiveCall(this.#world, order, (child) => this.place(child))
    this.calls.set(call.sid, call)
    const [oldest] = this.calls.keys()
    if (this.calls.size > CALLS_MAX && oldest !== undefined) this.calls.delete(oldest)
    return call
  }

  #authorize({ authorization }: Question): void {
    const given = Buffer.from(authorization)
    const fits = this.#credentials.some((credential) => {
      const wanted = Buffer.from(`Basic ${Buffer.from(credential).toString('base64')}`)
      return wanted.length === given.length && timingSafeEqual(wanted, given)
    })
    if (!fits) throw new Refusal(20003, 'Authenticate')
  }

  #createCall({ form }: Asked): Promise<Outcome> {
    return this.#with('create', form.get('To'), () => {
      const order = orderOf(form)
      this.#world.account.mayCall(order.from, order.to)
      const call = this.place(order)
      const unknown = order.unknownEvents
      if (unknown.length > 0) this.#world.warn(call.sid, 21626, `Invalid StatusCallbackEvent: ${unknown.join(', ')}`)
      return { status: 201, body: callResource(call, this.#world) }
    })
  }

  async #listCalls({ path, query }: Asked): Promise<Outcome> {
    const to = query.get('To')
    const fault = this.#world.faults.take('list', { to })
    const hiddenFromMs = fault?.how === 'stale' ? Date.now() - fault.ms : Infinity
    const answer = () => {
      const known = filtered(this.calls.values(), query).filter(({ createdAt }) => createdAt.getTime() < hiddenFromMs)
      return ok(page('calls', path, query, known, (call) => callResource(call, this.#world)))
    }
    return fault && fault.how !== 'stale' ? this.#failing(fault, answer) : answer()
  }

  #fetchCall({ sid, path }: Asked): Promise<Outcome> {
    const call = this.#find(sid, path)
    return this.#with('fetch', call.to, () => ok(callResource(call, this.#world)))
  }

  #updateCall({ sid, path, form }: Asked): Promise<Outcome> {
    const call = this.#find(sid, path)
    return this.#with('update', call.to, () => {
      update(call, form)
      return ok(callResource(call, this.#world))
    })
  }

  #find(sid: string, path: string): LiveCall {
    const call = this.calls.get(sid)
    if (!call) throw notFound(path)
    return call
  }

  #balance(): Answer {
    const { sid, balance } = this.#world.account
    return ok({ account_sid: sid, balance: balance.toFixed(2), currency: 'USD' })
  }

  #listNumbers({ path, query }: Asked): Answer {
    const { account } = this.#world
    const wanted = query.get('PhoneNumber')
    // Twilio looks for a part of the number here, and for all of it among the caller ids.
    const found = account.numbers.filter(({ number }) => wanted === null || number.includes(wanted))
    return ok(page('incoming_phone_numbers', path, query, found, (own) => numberResource(account, own)))
  }

  #listCallerIds({ path, query }: Asked): Answer {
    const { account } = this.#world
    const wanted = query.get('PhoneNumber')
    const name = query.get('FriendlyName')
    const found = account.callerIds.filter(
      (each) => (wanted === null || each.number === wanted) && (name === null || each.friendlyName === name),
    )
    return ok(page('outgoing_caller_ids', path, query, found, (callerId) => callerIdResource(account, callerId)))
  }

  /** Calls the number and asks for the code, which a test enters with enterCode(). */
  #validate({ form }: Asked): Answer {
    const { account, webhooks } = this.#world
    const { number, friendlyName } = validationOf(form)
    const hook = hookOf(form, 'StatusCallback', 'StatusCallbackMethod')
    const code = account.validate(number, friendlyName, (isValid, callerId) => {
      call.complete()
      const told = call.form({ VerificationStatus: isValid ? 'success' : 'failed' })
      if (callerId) told.set('OutgoingCallerIdSid', callerId.sid)
      if (hook) void webhooks.notify(hook, told, null)
    })
    const parameters = new URLSearchParams({
      To: number,
      From: VALIDATOR,
      Twiml: '<Response><Say>Please enter your code.</Say><Pause length="60"/></Response>',
      SendDigits: form.get('Extension') ?? '',
    })
    const call = this.place(orderOf(parameters))
    const phone = { phone_number: number, friendly_name: friendlyName }
    return ok({ account_sid: account.sid, call_sid: call.sid, ...phone, validation_code: code })
  }

  #with(point: 'create' | 'fetch' | 'update', to: string | null, work: () => Answer): Promise<Outcome> {
    const fault: Faults[typeof point] | null = this.#world.faults.take(point, { to })
    return fault ? this.#failing(fault, work) : Promise.resolve(work())
  }

  async #failing(fault: RequestFault, work: () => Outcome | Promise<Outcome>): Promise<Outcome> {
    if ('made' in fault && fault.made) await work()
    switch (fault.how) {
      case 'slow':
        await new Promise<void>((resolve) => this.#world.clock.after(fault.ms, resolve))
        return work()
      case 'error':
        return { ...refused(new Refusal(20500, 'An internal server error has occurred')), status: fault.status ?? 500 }
      case 'timeout':
        return 'never'
      case 'reset':
        return 'reset'
      case 'busy': {
        const headers = { 'retry-after': String(fault.retryAfterSeconds) }
        return { ...refused(new Refusal(20429, 'Too Many Requests')), headers }
      }
      case 'refused':
        return refused(new Refusal(fault.code, fault.message ?? 'Refused by a fault of the far end'))
    }
  }
}

const ok = (body: unknown): Answer => ({ status: 200, body })

/** @throws Refusal */
function update(call: LiveCall, form: URLSearchParams): void {
  const status = form.get('Status')
  const source = sourceOf(form)
  if (status !== null && status !== 'completed' && status !== 'canceled')
    throw new Refusal(20001, 'Status must be completed or canceled.')
  if (call.isOver || (source && call.status !== 'in-progress'))
    throw new Refusal(21220, 'Call is not in-progress. Cannot redirect.')
  if (source) call.redirect(source)
  // A call that goes on is not canceled.
  if (status === 'completed' || (status === 'canceled' && call.status !== 'in-progress')) call.complete()
}
