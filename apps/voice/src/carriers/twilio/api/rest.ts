import twilio from 'twilio'

/** Twilio's API never needs this long; a create that takes longer is looked up before it is given up. */
const DEADLINE_MS = 10_000
const ANSWER_MAX_BYTES = 4_000_000

export interface TwilioAccess {
  readonly accountSid: string
  readonly authToken: string | null
  readonly apiKey: { readonly sid: string; readonly secret: string } | null
  /** In place of https://api.twilio.com: a regional edge, or a test's far end. */
  readonly apiBase: string | null
}

export type TwilioClient = InstanceType<typeof twilio.Twilio>

export interface Answered<T> {
  readonly value: T
  /** Time of the answer by Twilio's own clock, in ms since 1970; null: not told. */
  readonly atMs: number | null
}

/** Twilio refused, failed or could not be asked. Its message stays out of logs: it may name phone numbers. */
export class TwilioError extends Error {
  /** HTTP status; 0: no answer that could be read. */
  readonly status: number
  /** Of Twilio's dictionary. */
  readonly twilioCode: number | null
  readonly retryAfterSeconds: number | null

  constructor(status: number, twilioCode: number | null, retryAfterSeconds: number | null, cause?: unknown) {
    const what = status === 0 ? 'Twilio could not be asked' : `Twilio answered ${status}`
    super(twilioCode === null ? `${what}.` : `${what}, error ${twilioCode}.`, { cause })
    this.name = 'TwilioError'
    this.status = status
    this.twilioCode = twilioCode
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Twilio did nothing of what was asked. Otherwise it may have done it all the same. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408
  }

  get isTooMany(): boolean {
    return this.status === 429
  }

  get isUnknownCall(): boolean {
    return this.status === 404
  }

  /** 21220: the call is over already. */
  get isOver(): boolean {
    return this.twilioCode === 21_220
  }
}

type RequestClient = InstanceType<typeof twilio.RequestClient>
type RequestOptions = Parameters<RequestClient['request']>[0]

/** The transport below Twilio's client: one request with a signal, against another base where one is given. */
class OneRequest extends twilio.RequestClient {
  headers: Headers | null = null
  readonly #signal: AbortSignal
  readonly #apiBase: string | null

  constructor(signal: AbortSignal, apiBase: string | null) {
    super()
    this.#signal = signal
    this.#apiBase = apiBase
  }

  override async request<T>({ uri, method, headers, username, password, params, data }: RequestOptions) {
    const url = new URL(uri)
    for (const [name, value] of fieldsIn(params)) url.searchParams.append(name, value)
    const target =
      this.#apiBase === null ? url.href : `${this.#apiBase.replace(/\/+$/, '')}${url.pathname}${url.search}`
    const response = await fetch(target, {
      method: method.toUpperCase(),
      headers: {
        ...headers,
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
      },
      ...(data !== undefined && { body: new URLSearchParams(fieldsIn(data)) }),
      redirect: 'error',
      signal: this.#signal,
    })
    this.headers = response.headers
    // As the vendor's own transport does: the text, which its client parses.
    return { statusCode: response.status, body: asBody<T>(await boundedText(response)), headers: {} }
  }
}

/** The vendor's client parses a body that is a string, whatever its type says. */
const asBody = <T>(text: string): T => text as T

function fieldsIn(fields: object | null | undefined): [string, string][] {
  return Object.entries(fields ?? {}).flatMap(([name, value]: [string, unknown]) => {
    const values: unknown[] = Array.isArray(value) ? value : [value]
    return values.filter(isWritable).map((one): [string, string] => [name, String(one)])
  })
}

const isWritable = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const body: AsyncIterable<Uint8Array> | null = response.body
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) throw new Error('An answer of Twilio is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

export interface Rest {
  /** @throws TwilioError, after 10 s at the latest or as soon as the signal is aborted; never tries again by itself */
  ask<T>(request: (client: TwilioClient) => Promise<T>, signal?: AbortSignal): Promise<Answered<T>>
}

export function createRest(access: TwilioAccess, deadlineMs = DEADLINE_MS): Rest {
  const [username, password] = access.apiKey
    ? [access.apiKey.sid, access.apiKey.secret]
    : [access.accountSid, access.authToken ?? '']

  const clientOn = (httpClient: OneRequest) =>
    new twilio.Twilio(username, password, { accountSid: access.accountSid, httpClient, autoRetry: false })
  // The package loads these modules when they are first used: some 300 ms that no call must wait for.
  void clientOn(new OneRequest(AbortSignal.abort(), null)).calls

  return {
    async ask(request, signal) {
      const abort = new AbortController()
      const onAbort = () => abort.abort(signal?.reason)
      const timer = setTimeout(() => abort.abort(new Error('Twilio did not answer in time.')), deadlineMs)
      signal?.addEventListener('abort', onAbort, { once: true })
      if (signal?.aborted) onAbort()
      const transport = new OneRequest(abort.signal, access.apiBase)
      try {
        const value = await request(clientOn(transport))
        const atMs = Date.parse(transport.headers?.get('date') ?? '')
        return { value, atMs: Number.isNaN(atMs) ? null : atMs }
      } catch (error) {
        throw errorOf(error, transport.headers)
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
    },
  }
}

function errorOf(error: unknown, headers: Headers | null): TwilioError {
  const status = numberIn(error, 'status')
  if (status === null) return new TwilioError(0, null, null, error)
  const retryAfter = Number(headers?.get('retry-after') ?? 'none')
  return new TwilioError(status, numberIn(error, 'code'), Number.isFinite(retryAfter) ? retryAfter : null)
}

function numberIn(error: unknown, name: string): number | null {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined
  return typeof value === 'number' && Number.isInteger(value) ? value : null
}
