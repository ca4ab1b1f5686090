import {
  type AnyAsked,
  type Asked,
  ERROR_STATUS,
  type ErrorCode,
  type Page,
  pageOf,
  type Parsed,
  QUERY_DEFAULTS,
  requestOf,
  type RouteReference,
} from '@parley/contract'
export type { Page } from '@parley/contract'
import { doubtConnection } from './connection.ts'
import { apiUrl, platform } from '../platform/index.ts'
import { askForProof } from './stepUp.ts'
import { words } from '../../words/index.ts'

type Shape = RouteReference['body']

interface RequestOptions {
  readonly signal?: AbortSignal | undefined
  /** For idempotent routes: the same key places a call once, however often it is sent. */
  readonly idempotencyKey?: string | undefined
}

/** The inputs and options of a request. */
export type Input<P extends Shape, Q extends Shape, B extends Shape> = Asked<P, Q, B> & RequestOptions

/** A failed response. The message is the status, a colon and the body text, or the status text if the body is empty. */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly #sentence: string | undefined
  readonly field: string | undefined

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    this.status = status
    const reply = errorReplyIn(body)
    this.code = isErrorCode(reply.code) ? reply.code : undefined
    this.#sentence = typeof reply.message === 'string' ? reply.message : undefined
    this.field = typeof reply.field === 'string' ? reply.field : undefined
  }

  /** The error to show: the server's message, or in another language a translation of its code. */
  get sentence(): string | undefined {
    const { server } = words()
    return (this.code && server?.errors[this.code]) ?? this.#sentence
  }
}

function errorReplyIn(body: string): { code?: unknown; message?: unknown; field?: unknown } {
  try {
    const reply: unknown = JSON.parse(body)
    return typeof reply === 'object' && reply !== null ? reply : {}
  } catch {
    return {}
  }
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === 'string' && Object.hasOwn(ERROR_STATUS, code)
}

/** The server's message if there is one, else the given text. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return (error instanceof HttpError && error.sentence) || otherwise
}

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof HttpError ? error.code : undefined
}

export async function request<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
): Promise<Parsed<R>> {
  return replyIn<Parsed<R>>(await send(route, input))
}

export async function requestPage<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
): Promise<Page<Parsed<R>>> {
  const response = await send(route, input)
  return pageOf(await replyIn<Parsed<R>>(response), response.headers)
}

/** The answer of a route that sends a file. */
export async function requestFile<P extends Shape, Q extends Shape, B extends Shape, R extends Shape>(
  route: RouteReference<P, Q, B, R>,
  input: Input<P, Q, B>,
): Promise<Blob> {
  return (await send(route, input)).blob()
}

async function send(route: RouteReference, input: AnyAsked & RequestOptions): Promise<Response> {
  const { signal, idempotencyKey } = input
  const timeout = route.method === 'GET' ? AbortSignal.timeout(QUERY_DEFAULTS.readTimeoutMs) : undefined
  const { path, ...init } = requestOf(route, input)
  const carried = platform().headers()
  const response = await fetch(apiUrl(path), {
    ...init,
    credentials: platform().credentials,
    headers: {
      accept: 'application/json',
      ...carried,
      ...init.headers,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    signal: AbortSignal.any([signal, timeout].filter((each) => each !== undefined)),
  }).catch((error: unknown) => {
    if (!signal?.aborted) doubtConnection()
    throw error
  })
  const stored = platform().received(response.headers)
  if (stored) await stored
  if (response.ok) return response
  // Another answer has brought a newer token meanwhile, and the one sent here is dead.
  if (response.status === 401 && carried['authorization'] !== platform().headers()['authorization'])
    return send(route, input)
  const refusal = new HttpError(response.status, response.statusText, await response.text())
  // Repeats the request after the user has confirmed their identity.
  if (refusal.code === 'step_up_needed' && (await askForProof())) return send(route, input)
  throw refusal
}

/** Not parsed: the server's tests hold it to the contract. */
async function replyIn<T>(response: Response): Promise<T> {
  const text = await response.text()
  return (text === '' ? undefined : JSON.parse(text)) as T
}
