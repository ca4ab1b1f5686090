import { randomUUID } from 'node:crypto'
import { z } from 'zod'

interface JsonSchema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly minItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
}

export function jsonOf(schema: z.ZodType): JsonSchema {
  // Of this shape by the definition of JSON Schema.
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
}

export function propertiesOf(schema: z.ZodType): Readonly<Record<string, unknown>> {
  return jsonOf(schema).properties ?? {}
}

/** What a name alone tells of what it must be. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  callee: '+12025550123',
  phone: '+12025550123',
  password: 'tell-nobody-of-herons',
  newPassword: 'tell-nobody-of-herons',
}

/** The simplest thing that a schema lets through. */
export function sampleOf(schema: JsonSchema, root: JsonSchema = schema): unknown {
  const sample = (part: JsonSchema) => sampleOf(part, root)
  if (schema.$ref !== undefined) return sample(root.$defs?.[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  const variants = schema.anyOf ?? schema.oneOf
  if (variants) return sample(variants[0] ?? {})
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(sample))
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((name) => [name, BY_NAME[name] ?? sample(schema.properties?.[name] ?? {})]))
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => sample(schema.items ?? {}))
    case 'string':
      return textFor(schema)
    case 'number':
    case 'integer':
      return schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1
    case 'boolean':
      return false
    default:
      return null
  }
}

function textFor({ format, pattern, minLength = 1 }: JsonSchema): string {
  if (format === 'email') return `${randomUUID()}@example.org`
  if (format === 'uri') return 'https://example.org/'
  if (format === 'date-time') return new Date().toISOString()
  if (format === 'date') return '2026-01-01'
  if (pattern?.includes('[1-9]')) return '+12025550123'
  return 'x'.repeat(Math.max(1, minLength))
}
