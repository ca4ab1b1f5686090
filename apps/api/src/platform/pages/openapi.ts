import { BODY_MAX_BYTES, BRAND, ERROR_STATUS, ErrorReply, type ErrorCode, type Route } from '@parley/contract'
import { z } from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathItemObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { SESSION_COOKIE } from './protection.ts'

/** Error codes that every route of an access level can return, besides its own. */
const ACCESS_ERRORS: Readonly<Record<Route['access'], readonly ErrorCode[]>> = {
  public: ['rate_limited'],
  session: ['unauthenticated', 'foreign_origin', 'rate_limited'],
  account: ['unauthenticated', 'foreign_origin', 'rate_limited'],
  service: ['unauthenticated'],
}

/**
 * OpenAPI 3.1 of the given routes. Components are the contract's named shapes; a shape with different input and output
 * gets a second component with the suffix "Output".
 */
export function openApiOf(routes: readonly Route[], version: string): Record<string, unknown> {
  const paths: Record<string, ZodOpenApiPathItemObject> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  const { components = {}, ...document } = createDocument({
    openapi: '3.1.0',
    info: { title: `${BRAND.product} API`, version, contact: { email: BRAND.supportEmail } },
    paths,
    components: {
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        key: { type: 'http', scheme: 'bearer', description: 'An API key from Settings' },
      },
    },
  })
  const schemas = Object.entries(components.schemas ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...document, components: { ...components, schemas: Object.fromEntries(schemas) } }
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { params, query } = route
  return {
    operationId: route.id,
    tags: [route.room],
    summary: route.summary,
    requestParams: {
      ...(params instanceof z.ZodObject && { path: params }),
      // A query with arbitrary fields (from other sites) has no fields to list.
      ...(query instanceof z.ZodObject && { query }),
    },
    parameters: route.idempotent ? [IDEMPOTENCY_KEY] : [],
    ...bodyOf(route),
    responses: { [route.status ?? (route.reply ? 200 : 302)]: successOf(route), ...errorsOf(route) },
    security: securityOf(route.access),
  }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 255 },
  description: 'The same key and body get the first answer again',
} as const

function successOf({ summary, reply, paged }: Route): ZodOpenApiResponseObject {
  return {
    description: summary,
    ...(reply && { content: { 'application/json': { schema: reply } } }),
    ...(paged && {
      headers: {
        'X-Total-Count': { schema: { type: 'integer' } },
        'X-Next-Cursor': { schema: { type: 'string' }, description: 'Present when there is more' },
      },
    }),
  }
}

function bodyOf({ body, file, bodyBytes = BODY_MAX_BYTES }: Route): { requestBody?: ZodOpenApiRequestBodyObject } {
  if (!body && !file) return {}
  const description = `At most ${bodyBytes / 1024 / 1024} MB, not compressed`
  const content = body ? { 'application/json': { schema: body } } : { 'application/octet-stream': {}, 'text/csv': {} }
  return { requestBody: { required: true, description, content } }
}

function securityOf(access: Route['access']): Record<string, string[]>[] {
  if (access === 'public') return []
  return access === 'account' ? [{ session: [] }, { key: [] }] : [{ session: [] }]
}

function errorsOf(route: Route): Record<string, ZodOpenApiResponseObject> {
  const codes: ErrorCode[] = [...ACCESS_ERRORS[route.access], ...(route.errors ?? [])]
  if (route.params || route.query || route.body) codes.push('invalid_input')
  if (route.params) codes.push('not_found')
  if (route.body) codes.push('invalid_json')
  if (route.body || route.file) codes.push('too_large', 'not_json')
  if (route.stepUp) codes.push('step_up_needed')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes))
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code])
  const content = { 'application/json': { schema: ErrorReply } }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [String(status), { description: list.join(', '), content }]),
  )
}
