import { randomUUID } from 'node:crypto'
import type { Clock } from '@parley/voice-ports'
import { Timers } from './clock.ts'
import type { CallbackFault } from './faults.ts'
import { signatureOf } from './signature.ts'

/** Twilio waits so long for an answer to a voice webhook. */
const READ_MS = 15_000
const RETRY_AFTER_MS = 50
const BODY_MAX_BYTES = 64 * 1024
const SOUND_MAX_BYTES = 1024 * 1024
const KEPT_MAX = 20_000

export interface Delivery {
  readonly url: string
  readonly form: URLSearchParams
  readonly atMs: number
  /** HTTP status; 0 without an answer; null while it is under way. lost: never sent. */
  readonly status: number | null | 'lost'
  readonly attempt: number
}

export interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
}

interface Options {
  readonly clock: Clock
  readonly authToken: string
}

export interface Hook {
  readonly url: string
  readonly method: string
}

/** Signed requests to the customer. */
export class Webhooks {
  readonly #options: Options
  readonly #timers: Timers
  readonly #over = new AbortController()
  readonly #underway = new Set<Promise<unknown>>()
  /** Every attempt, oldest first; the oldest are forgotten. */
  readonly log: Delivery[] = []

  constructor(options: Options) {
    this.#options = options
    this.#timers = new Timers(options.clock)
  }

  /** Sends a callback, with its fault. Resolves when the next one may go, never rejects. */
  async notify(hook: Hook, form: URLSearchParams, fault: CallbackFault | null): Promise<void> {
    const send = (badly = false) => this.#tracked(this.request(hook, form, badly))
    switch (fault?.how) {
      case undefined:
        return send()
      case 'lost':
        this.#record({ url: hook.url, form, atMs: this.#options.clock.nowMs(), status: 'lost', attempt: 0 })
        return
      case 'doubled':
        await Promise.all([send(), send()])
        return
      case 'delayed':
        this.#timers.after(fault.ms, () => void send())
        return
      case 'bad_signature':
        return send(true)
    }
  }

  /**
   * One request, repeated as the address asks for; by default once where no connection comes about. Rejects without an
   * answer, or with one of more than 64 KiB.
   */
  async request(hook: Hook, form: URLSearchParams, badly = false): Promise<Reply> {
    const connection = connectionOf(hook.url)
    const token = randomUUID()
    for (let attempt = 1; ; attempt++) {
      const result = await this.#attempt({ ...hook, url: connection.url }, form, { badly, token, attempt, connection })
      const again = attempt <= connection.retries && connection.retriesOn(result.failure) && !this.#over.signal.aborted
      if (!again && result.reply) return result.reply
      if (!again) throw result.error
      await new Promise<void>((resolve) => this.#timers.after(RETRY_AFTER_MS, resolve))
    }
  }

  /** @throws when there is no sound within a megabyte */
  async download(url: string): Promise<{ readonly type: string; readonly audio: Uint8Array }> {
    const signal = AbortSignal.any([AbortSignal.timeout(READ_MS), this.#over.signal])
    const answer = await fetch(url, { signal, redirect: 'error' })
    if (!answer.ok) throw new Error(`The sound is not there: HTTP status ${answer.status}.`)
    return { type: answer.headers.get('content-type') ?? '', audio: await bytesOf(answer, SOUND_MAX_BYTES) }
  }

  async close(): Promise<void> {
    this.#timers.clear()
    this.#over.abort()
    await Promise.all(this.#underway)
  }

  async #tracked(work: Promise<unknown>): Promise<void> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    )
    this.#underway.add(settled)
    await settled
    this.#underway.delete(settled)
  }

  async #attempt(hook: Hook, form: URLSearchParams, how: Attempt): Promise<Result> {
    const { authToken, clock } = this.#options
    const at = { url: hook.url, form, atMs: clock.nowMs(), attempt: how.attempt }
    const isGet = hook.method === 'GET'
    const url = isGet ? withQuery(hook.url, form) : hook.url
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'user-agent': 'TwilioProxy/1.1',
      accept: '*/*',
      'i-twilio-idempotency-token': how.token,
      'x-twilio-signature': signatureOf(how.badly ? `not ${authToken}` : authToken, url, isGet ? undefined : form),
    }
    const signal = AbortSignal.any([AbortSignal.timeout(how.connection.readMs), this.#over.signal])
    try {
      const body = isGet ? null : form.toString()
      const answer = await fetch(url, { method: hook.method, headers, body, signal, redirect: 'error' })
      const { status } = answer
      const text = (await bytesOf(answer, BODY_MAX_BYTES)).toString('utf8')
      this.#record({ ...at, status })
      const failure = status >= 500 ? '5xx' : status >= 400 ? '4xx' : null
      return { reply: { status, type: answer.headers.get('content-type') ?? '', body: text }, failure }
    } catch (error) {
      this.#record({ ...at, status: 0 })
      return { reply: null, failure: isConnectFailure(error) ? 'ct' : 'rt', error }
    }
  }

  #record(delivery: Delivery): void {
    this.log.push(delivery)
    if (this.log.length > KEPT_MAX) this.log.shift()
  }
}

/** What failed: connecting, reading, or the customer. */
type Failure = 'ct' | 'rt' | '4xx' | '5xx'

type Result =
  | { readonly reply: Reply; readonly failure: Failure | null; readonly error?: undefined }
  | { readonly reply: null; readonly failure: Failure; readonly error: unknown }

interface Connection {
  /** Without the overrides. */
  readonly url: string
  readonly retries: number
  readonly readMs: number
  retriesOn(failure: Failure | null): boolean
}

interface Attempt {
  readonly badly: boolean
  readonly token: string
  readonly attempt: number
  readonly connection: Connection
}

/** Twilio's connection overrides: `#rc=2&rp=5xx,ct&rt=3000` behind an address; neither sent nor signed. */
function connectionOf(url: string): Connection {
  const [address = '', fragment = ''] = url.split('#', 2)
  const overrides = new URLSearchParams(fragment)
  const number = (name: string, otherwise: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Number(overrides.get(name) ?? otherwise) || otherwise))
  const policies = (overrides.get('rp') ?? 'ct').split(',')
  return {
    url: address,
    retries: overrides.get('rc') === '0' ? 0 : number('rc', 1, 0, 5),
    readMs: number('rt', READ_MS, 100, READ_MS),
    retriesOn: (failure) => failure !== null && (policies.includes('all') || policies.includes(failure)),
  }
}

function isConnectFailure(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return (
    code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EHOSTUNREACH' || code === 'UND_ERR_CONNECT_TIMEOUT'
  )
}

function withQuery(url: string, form: URLSearchParams): string {
  const whole = new URL(url)
  for (const [name, value] of form) whole.searchParams.append(name, value)
  return whole.href
}

async function bytesOf(answer: Response, most: number): Promise<Buffer> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = answer.body?.getReader()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
    bytes += read.value.length
    if (bytes > most) {
      await reader?.cancel()
      throw new Error(`The answer to a webhook is longer than ${most} bytes.`)
    }
    chunks.push(read.value)
  }
  return Buffer.concat(chunks)
}
