import { pathOf, SHELL_HEADER, TICKET_QUERY } from '@parley/contract'
import { shellsRoutes } from '@parley/contract/page'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'
import type { SessionToken } from './token.ts'

const TIMEOUT_MS = 15_000
const META = 'meta[name="parley-api"]'

/** Requests of the native side itself. */
export interface Api {
  readonly base: string
  readonly headers: () => Readonly<Record<string, string>>
  /** The answer, whatever its status; keeps a new token. Rejects without one. */
  send(path: string, init?: { readonly method?: string; readonly body?: unknown }): Promise<Response>
  /** The path with a ticket, for one request that cannot carry headers. */
  withTicket(path: string): Promise<string>
}

/** The hosted backend, which the shell's build wrote into the page. */
function apiBase(): string {
  const base = document.querySelector<HTMLMetaElement>(META)?.content
  if (!base) throw new Error('This build of the app names no backend')
  return base
}

export function openApi({ platform }: Bridge, token: SessionToken, base = apiBase()): Api {
  const headers = () => ({ [SHELL_HEADER]: platform, ...token.headers })
  const send: Api['send'] = async (path, { method = 'GET', body } = {}) => {
    const response = await fetch(base + path, {
      method,
      credentials: 'omit',
      headers: { ...headers(), ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await token.received(response.headers)
    return response
  }
  return {
    base,
    headers,
    send,
    async withTicket(path) {
      const { method, path: tickets } = shellsRoutes.createTicket
      const response = await send(pathOf({ path: tickets }, {}), { method, body: { path } })
      if (!response.ok) throw new Error(`No ticket: ${response.status}`)
      const ticket = textOf(fieldsOf(await response.json())['ticket'])
      return `${path}${path.includes('?') ? '&' : '?'}${TICKET_QUERY}=${encodeURIComponent(ticket)}`
    },
  }
}
