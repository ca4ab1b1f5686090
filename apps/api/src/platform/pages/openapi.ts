import { BODY_MAX_BYTES, BRAND, ERROR_STATUS, ErrorReply, type ErrorCode, type Route } from '@parley/contract'
import { z } from 'zod'
import { SESSION_COOKIE } from './protection.ts'

type Json = Record<string, unknown>
const Definitions = z.record(z.string(), z.record(z.string(), z.unknown()))

/** Codes that every route of an access may answer, beside its own. */
const ACCESS_ERRORS: Readonly<Record<Route['access'], readonly ErrorCode[]>> = {
  public: ['rate_limited'],
  session: ['unauthenticated', 'foreign_origin', 'rate_limited'],
  account: ['unauthenticated', 'foreign_origin', 'rate_limited'],
  service: ['unauthenticated'],
}

/** OpenAPI 3.1 of the routes given, whole: components are the contract's named shapes. */
export function openApiOf(routes: readonly Route[], version: string, serverUrl: string): Json {
  const components = new Map<string, Json>()
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const path = route.path.replaceAll(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, components) }
  }
  const schemas = Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.0',
    info: { title: `${BRAND.product} API`, version, contact: { email: BRAND.supportEmail } },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        key: { type: 'http', scheme: 'bearer', description: 'An API key from Settings' },
      },
    },
  }
}

function operationOf(route: Route, components: Map<string, Json>): Json {
  const status = String(route.status ?? (route.reply ? 200 : 302))
  const success: Json = { description: route.summary }
  if (route.reply) success['content'] = { 'application/json': { schema: schemaOf(route.reply, 'output', components) } }
  if (route.paged) {
    success['headers'] = {
      'X-Total-Count': { schema: { type: 'integer' } },
      'X-Next-Cursor': { schema: { type: 'string' }, description: 'Present when there is more' },
    }
  }
  return {
    operationId: route.id,
    tags: [route.room],
    summary: route.summary,
    parameters: parametersOf(route, components),
    ...bodyOf(route, components),
    responses: { [status]: success, ...errorsOf(route, components) },
    security: securityOf(route.access),
  }
}

function bodyOf({ body, file, bodyBytes = BODY_MAX_BYTES }: Route, components: Map<string, Json>): Json {
  if (!body && !file) return {}
  const description = `At most ${bodyBytes / 1024 / 1024} MB, not compressed`
  const content = body
    ? { 'application/json': { schema: schemaOf(body, 'input', components) } }
    : { 'application/octet-stream': {}, 'text/csv': {} }
  return { requestBody: { required: true, description, content } }
}

function securityOf(access: Route['access']): Json[] {
  if (access === 'public') return []
  return access === 'account' ? [{ session: [] }, { key: [] }] : [{ session: [] }]
}

function parametersOf(route: Route, components: Map<string, Json>): Json[] {
  const parameters: Json[] = []
  for (const place of ['path', 'query'] as const) {
    const shape = place === 'path' ? route.params : route.query
    if (!shape) continue
    const schema = schemaOf(shape, 'input', components)
    const required = Array.isArray(schema['required']) ? schema['required'] : []
    for (const [name, property] of Object.entries(schema['properties'] ?? {})) {
      parameters.push({ name, in: place, required: place === 'path' || required.includes(name), schema: property })
    }
  }
  if (route.idempotent) {
    const description = 'The same key and body get the first answer again'
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', maxLength: 255 },
      description,
    })
  }
  return parameters
}

function errorsOf(route: Route, components: Map<string, Json>): Json {
  const codes: ErrorCode[] = [...ACCESS_ERRORS[route.access], ...(route.errors ?? [])]
  if (route.params || route.query || route.body) codes.push('invalid_input')
  if (route.params) codes.push('not_found')
  if (route.body) codes.push('invalid_json')
  if (route.body || route.file) codes.push('too_large', 'not_json')
  if (route.stepUp) codes.push('step_up_needed')
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set(codes))
    byStatus.set(ERROR_STATUS[code], [...(byStatus.get(ERROR_STATUS[code]) ?? []), code])
  const content = { 'application/json': { schema: schemaOf(ErrorReply, 'output', components) } }
  return Object.fromEntries(
    [...byStatus].map(([status, list]) => [String(status), { description: list.join(', '), content }]),
  )
}

/** JSON Schema of a shape; named shapes inside it become components. What is sent and what is answered may differ. */
function schemaOf(shape: z.ZodType, io: 'input' | 'output', components: Map<string, Json>): Json {
  const schema: Json = z.toJSONSchema(shape, { target: 'draft-2020-12', io, unrepresentable: 'any', reused: 'inline' })
  const definitions = Definitions.optional().parse(schema['$defs']) ?? {}
  delete schema['$schema']
  delete schema['$defs']
  for (const [id, definition] of Object.entries(definitions)) keep(components, id, definition)
  const id = schema['id']
  const relinked = relink(schema)
  if (typeof id !== 'string') return relinked
  keep(components, id, relinked)
  return { $ref: `#/components/schemas/${id}` }
}

function keep(components: Map<string, Json>, id: string, definition: Json): void {
  const { id: _, ...rest } = relink(definition)
  if (!components.has(id)) components.set(id, rest)
}

function relink(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/')
  // JSON.stringify of an object parses back to an object.
  return JSON.parse(text) as Json
}
