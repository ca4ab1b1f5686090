import { createHash } from 'node:crypto'
import { SANDBOX_KEYS } from '@parley/contract'
import { Failure } from './errors.ts'
import { type Params, parseForm } from './form.ts'
import { type Answer, json, type Question } from './http.ts'
import { expanded } from './lists.ts'
import { match } from './routes.ts'
import type { World } from './world.ts'

/** Answers one API request: authorizes it, routes it and applies its idempotency key. */
export function call(world: World, question: Question): Answer {
  const { method, pathname, search, text } = question
  const params = parseForm(method === 'POST' ? text : search.slice(1))
  const caller = callerOf(question, params)
  const found = match(method, pathname)
  if (!found) throw new Failure(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${pathname}).`)
  if (caller === 'page' && !found.route.forPages) {
    const message = 'This API call cannot be made with a publishable API key. Please use a secret API key.'
    throw new Failure(403, 'invalid_request_error', message, { code: 'secret_key_required' })
  }
  const work = () => expanded(world.store, found.route.answer({ world, id: found.id, params, caller }), params)
  const key = method === 'POST' ? question.header('idempotency-key') : undefined
  return key === undefined ? json(200, work()) : once(world, question, key, work)
}

/**
 * Replays the first answer under a key. Requests that failed before they began, such as on a wrong parameter, may be
 * repeated.
 */
function once({ store }: World, { method, pathname, text }: Question, key: string, work: () => unknown): Answer {
  const request = createHash('sha256').update(`${method} ${pathname}\n${text}`).digest('hex')
  const first = store.find('answer', key)
  if (first && first.request !== request) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
    throw new Failure(400, 'idempotency_error', message)
  }
  const headers = { 'idempotency-key': key }
  if (first) return json(first.status, first.body, { ...headers, 'idempotent-replayed': 'true' })
  const { status, body } = outcomeOf(work)
  store.put('answer', { id: key, request, status, body })
  return json(status, body, headers)
}

/** A declined card is a regular answer, and is replayed too. */
function outcomeOf(work: () => unknown): { readonly status: number; readonly body: unknown } {
  try {
    return { status: 200, body: work() }
  } catch (error) {
    if (error instanceof Failure && error.status === 402) return { status: error.status, body: error.body }
    throw error
  }
}

function callerOf(question: Question, params: Params): 'secret' | 'page' {
  const header = question.header('authorization') ?? ''
  const basic = /^Basic (.+)$/i.exec(header)?.[1]
  const sent =
    basic === undefined
      ? /^Bearer (.+)$/i.exec(header)?.[1]
      : Buffer.from(basic, 'base64').toString('utf8').split(':', 1)[0]
  const key = sent ?? params['key']
  if (key === SANDBOX_KEYS.secret) return 'secret'
  if (key === SANDBOX_KEYS.publishable) return 'page'
  const message =
    typeof key === 'string' ? `Invalid API Key provided: ${key.slice(0, 8)}***` : 'You did not provide an API key.'
  throw new Failure(401, 'invalid_request_error', message)
}
