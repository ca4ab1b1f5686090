import { Id, Instant } from '../common-shapes.ts'
import { KEY_SCOPES } from '../route.ts'
import { SECURITY_EVENTS } from './security.ts'
import { SHELL_PLATFORMS } from './shells.ts'
import { SecondFactorCode } from './shapes.ts'
import { z } from 'zod'

export const Session = z
  .object({
    id: Id,
    current: z.boolean().describe('The one that asks'),
    device: z.string().describe("Browser and system, as far as they told: 'Firefox on Linux'"),
    platform: z.enum(SHELL_PLATFORMS).optional().describe('Of the native app; absent for a browser'),
    ipAddress: z.string().nullable(),
    createdAt: Instant,
    lastUsedAt: Instant.describe('To the day'),
    expiresAt: Instant,
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

const Scope = z.enum(KEY_SCOPES)

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    masked: z.string().describe("Its beginning and its end: 'parley_Ab12…9xYz'"),
    scopes: z.array(Scope),
    createdAt: Instant,
    lastUsedAt: Instant.nullable(),
  })
  .meta({ id: 'ApiKey' })
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z
  .object({
    name: z.string().trim().min(1).max(80).default('API key'),
    scopes: z
      .array(Scope)
      .min(1)
      .default([...KEY_SCOPES])
      .transform((scopes) => [...new Set(scopes)]),
  })
  .meta({ id: 'NewApiKey' })

/** The only answer that ever has the whole key. */
export const CreatedApiKey = ApiKey.extend({ key: z.string() }).meta({ id: 'CreatedApiKey' })

export const SecurityEvent = z
  .object({
    id: Id,
    kind: z.enum(SECURITY_EVENTS),
    detail: z
      .string()
      .nullable()
      .describe("What is not said by the kind: 'Google', the name of a key, the new address"),
    ipAddress: z.string().nullable(),
    device: z.string(),
    at: Instant,
  })
  .meta({ id: 'SecurityEvent' })
export type SecurityEvent = z.infer<typeof SecurityEvent>

export const SecondFactor = z
  .object({ enabled: z.boolean(), recoveryCodesLeft: z.int().min(0) })
  .meta({ id: 'SecondFactor', description: 'Asked for after the password; Google, Apple and passkeys bring their own' })
export type SecondFactor = z.infer<typeof SecondFactor>

/** Shown until it is confirmed by a first code; nothing changes before. */
export const SecondFactorSetup = z
  .object({
    uri: z.string().describe('otpauth://… to show as a QR code'),
    secret: z.string().describe('To type in, base32'),
  })
  .meta({ id: 'SecondFactorSetup' })

/** Each works once, instead of the authenticator app; shown this once. */
export const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) }).meta({ id: 'RecoveryCodes' })

export const SecondFactorProof = z.object({ code: SecondFactorCode }).meta({ id: 'SecondFactorProof' })

export const Passkey = z
  .object({ id: Id, name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

/**
 * As WebAuthn's own JSON forms are: what the server says goes into the browser's parseCreationOptionsFromJSON and the
 * like.
 */
export const WebAuthnJson = z.record(z.string(), z.unknown())

export const DataExport = z
  .object({
    id: Id,
    status: z.enum(['waiting', 'running', 'ready', 'failed']),
    progress: z.int().min(0).max(100).describe('Percent'),
    bytes: z.int().min(0).nullable().describe('Of the zip, once it is ready'),
    createdAt: Instant,
    expiresAt: Instant.nullable().describe('Once it is ready'),
  })
  .meta({
    id: 'DataExport',
    description: 'JSON of everything, and the recordings, in a zip; mailed as a link when it is ready',
  })
export type DataExport = z.infer<typeof DataExport>

export const WebhookTest = z
  .object({
    delivered: z.boolean(),
    status: z.int().nullable().describe('What the address answered'),
    message: z.string(),
  })
  .meta({ id: 'WebhookTest' })
