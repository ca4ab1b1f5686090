import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { apiKey, dataExport, dataExportPart, passkey, session } from './accounts/testing.ts'
import { call, callerNumber, callTemplate } from './calls/testing.ts'
import { doNotCall } from './consent/testing.ts'
import { contact } from './contacts/testing.ts'
import { payment } from './credits/testing.ts'
import { device } from './notices/testing.ts'
import type { Db } from './platform/db.ts'

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

/** Sample values by field name. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  callee: '+12025550123',
  phone: '+12025550123',
  password: 'tell-nobody-of-herons',
  newPassword: 'tell-nobody-of-herons',
}

/** A minimal value that the schema accepts. */
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
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, BY_NAME[name] ?? sample(schema.properties?.[name] ?? {})]),
      )
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
  if (pattern?.startsWith('^\\d{') === true) return '000000'
  if (pattern?.includes('[1-9]')) return '+12025550123'
  return 'x'.repeat(Math.max(1, minLength))
}

/** One of each thing that needs no more than rows, by the part of a path that stands before its name. */
export const SAMPLE_ROWS: Readonly<Record<string, (db: Db, userId: string) => Promise<string>>> = {
  async contacts(db, userId) {
    const id = randomUUID()
    await db.insert(contact).values({ id, userId, name: 'Ada', phone: '+12025550123' })
    return id
  },
  async 'caller-numbers'(db, userId) {
    const phone = '+12025550123'
    await db.insert(callerNumber).values({ userId, phone, kind: 'verified', simulated: true }).onConflictDoNothing()
    return phone
  },
  async devices(db, userId) {
    const id = randomUUID()
    const [own] = await db.select({ id: session.id }).from(session).where(eq(session.userId, userId)).limit(1)
    const phone = { platform: 'android', token: randomUUID(), language: 'en' } as const
    await db.insert(device).values({ id, userId, sessionId: own?.id ?? '', ...phone })
    return id
  },
  async calls(db, userId) {
    const id = randomUUID()
    const order = { callee: '+12025550123', purpose: 'Ask', objectives: [], maxDurationMinutes: 1 }
    const manner = { tone: 'friendly', voiceId: 'default' } as const
    const about = { context: {}, language: 'en', onBehalfOf: 'Ada', record: false, creditsHeld: 1 } as const
    const now = new Date()
    const ended = {
      status: 'completed',
      phase: 'ended: answered',
      completedAt: now,
      endReason: 'agent_closed',
      durationSeconds: 3,
    } as const
    const row = {
      id,
      userId,
      ...order,
      ...manner,
      ...about,
      ...ended,
      creditsCharged: 1,
      stageAt: now,
      heardAt: now,
      createdAt: now,
    }
    await db.insert(call).values(row)
    return id
  },
  async 'call-templates'(db, userId) {
    const id = randomUUID()
    const order = { purpose: 'Ask', tone: 'friendly', maxDurationMinutes: 1, language: 'en' } as const
    await db.insert(callTemplate).values({ id, userId, name: id, ...order, objectives: [], context: {} })
    return id
  },
  async payments(db, userId) {
    const id = randomUUID()
    const bought = { packageId: 'light', credits: 10, bonusCredits: 0, amountCents: 999 } as const
    const paid = { status: 'succeeded', capturedCents: 999, paidAt: new Date() } as const
    await db.insert(payment).values({ id, intentId: `pi_${id}`, userId, ...bought, ...paid })
    return id
  },
  async sessions(db, userId) {
    const id = randomUUID()
    await db.insert(session).values({ id, userId, token: id, expiresAt: new Date(Date.now() + 3_600_000) })
    return id
  },
  async 'api-keys'(db, userId) {
    const id = randomUUID()
    await db.insert(apiKey).values({ id, userId, name: 'Robot', hash: id, masked: '', scopes: ['read'] })
    return id
  },
  async 'do-not-call'(db, userId) {
    await db.insert(doNotCall).values({ userId, phone: '+12025550123', source: 'account' }).onConflictDoNothing()
    return '+12025550123'
  },
  async passkeys(db, userId) {
    const id = randomUUID()
    await db
      .insert(passkey)
      .values({ id, userId, name: 'Phone', credentialId: id, publicKey: '', counter: 0, transports: [] })
    return id
  },
  async exports(db, userId) {
    const id = randomUUID()
    const expiresAt = new Date(Date.now() + 3_600_000)
    await db.insert(dataExport).values({ id, userId, status: 'ready', progress: 100, bytes: 3, expiresAt })
    await db.insert(dataExportPart).values({ exportId: id, index: 0, bytes: Buffer.from('zip') })
    return id
  },
}
