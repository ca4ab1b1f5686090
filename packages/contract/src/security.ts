import { z } from 'zod'
import { SecondFactorCode, SessionReply } from './accounts.ts'
import { Id, IdParams, Instant, MessageReply, PageQuery } from './common.ts'
import { defineRoute, KEY_SCOPES } from './route.ts'

export const Session = z
  .object({
    id: Id,
    current: z.boolean().describe('The one that asks'),
    device: z.string().describe("Browser and system, as far as they told: 'Firefox on Linux'"),
    ipAddress: z.string().nullable(),
    createdAt: Instant,
    lastUsedAt: Instant.describe('To the day'),
    expiresAt: Instant,
  })
  .meta({ id: 'Session' })
export type Session = z.infer<typeof Session>

const Scope = z.enum(KEY_SCOPES)
export const API_KEYS_MAX = 20

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

/** Events in the owner's list of security activity. */
export const SECURITY_EVENTS = [
  'account_created',
  'signed_in',
  'sign_in_blocked',
  'session_ended',
  'password_changed',
  'email_change_asked',
  'email_change_stopped',
  'email_changed',
  'identity_linked',
  'second_factor_on',
  'second_factor_off',
  'recovery_code_used',
  'recovery_codes_made',
  'passkey_added',
  'passkey_removed',
  'api_key_created',
  'api_key_revoked',
  'export_requested',
  'export_downloaded',
] as const

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

export const RECOVERY_CODES = 10

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

const SecondFactorProof = z.object({ code: SecondFactorCode }).meta({ id: 'SecondFactorProof' })

export const Passkey = z
  .object({ id: Id, name: z.string(), createdAt: Instant, lastUsedAt: Instant.nullable() })
  .meta({ id: 'Passkey' })
export type Passkey = z.infer<typeof Passkey>

/** WebAuthn's JSON: the server's goes into the browser's parseCreationOptionsFromJSON and the like. */
export const WebAuthnJson = z.record(z.string(), z.unknown())

export const DATA_EXPORT_DAYS = 7

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

const SessionParams = IdParams.extend({ sessionId: Id })
const KeyParams = IdParams.extend({ keyId: Id })
const PasskeyParams = IdParams.extend({ passkeyId: Id })
const ExportParams = IdParams.extend({ exportId: Id })

const room = 'accounts'

/** Security of an account: sessions, keys, second factor, data export. */
export const securityRoutes = {
  passkeySignInOptions: defineRoute({
    id: 'getPasskeySignInOptions',
    room,
    method: 'POST',
    path: '/api/auth/passkey/options',
    access: 'public',
    summary: 'Start signing in with a passkey',
    reply: WebAuthnJson,
  }),
  passkeySignIn: defineRoute({
    id: 'signInWithPasskey',
    room,
    method: 'POST',
    path: '/api/auth/passkey',
    access: 'public',
    summary: 'Sign in with a passkey',
    body: z.object({ response: WebAuthnJson }).meta({ id: 'PasskeyAssertion' }),
    reply: SessionReply,
    errors: ['invalid_token'],
  }),
  sessions: defineRoute({
    id: 'listSessions',
    room,
    method: 'GET',
    path: '/api/user/:id/sessions',
    access: 'session',
    summary: 'Where the person is signed in, the latest first',
    params: IdParams,
    reply: z.array(Session),
  }),
  endSession: defineRoute({
    id: 'endSession',
    room,
    method: 'DELETE',
    path: '/api/user/:id/sessions/:sessionId',
    access: 'session',
    summary: 'End a session',
    params: SessionParams,
    reply: MessageReply,
  }),
  endOtherSessions: defineRoute({
    id: 'endOtherSessions',
    room,
    method: 'DELETE',
    path: '/api/user/:id/sessions',
    access: 'session',
    summary: 'End every session but the one that asks',
    params: IdParams,
    reply: MessageReply,
  }),
  apiKeys: defineRoute({
    id: 'listApiKeys',
    room,
    method: 'GET',
    path: '/api/user/:id/api-keys',
    access: 'session',
    summary: 'API keys that work, newest first',
    params: IdParams,
    reply: z.array(ApiKey),
  }),
  createApiKey: defineRoute({
    id: 'createApiKey',
    room,
    method: 'POST',
    path: '/api/user/:id/api-keys',
    access: 'session',
    stepUp: 'always',
    summary: 'Make an API key; this answer alone shows it',
    params: IdParams,
    body: NewApiKey,
    reply: CreatedApiKey,
    status: 201,
    errors: ['conflict'],
  }),
  revokeApiKey: defineRoute({
    id: 'revokeApiKey',
    room,
    method: 'DELETE',
    path: '/api/user/:id/api-keys/:keyId',
    access: 'session',
    summary: 'Revoke an API key, at once',
    params: KeyParams,
    reply: MessageReply,
  }),
  securityActivity: defineRoute({
    id: 'listSecurityActivity',
    room,
    method: 'GET',
    path: '/api/user/:id/security-activity',
    access: 'session',
    summary: 'Recent security activity, newest first',
    params: IdParams,
    query: PageQuery,
    reply: z.array(SecurityEvent),
    paged: true,
  }),
  secondFactor: defineRoute({
    id: 'getSecondFactor',
    room,
    method: 'GET',
    path: '/api/user/:id/second-factor',
    access: 'session',
    summary: 'Whether an authenticator app is asked for',
    params: IdParams,
    reply: SecondFactor,
  }),
  setUpSecondFactor: defineRoute({
    id: 'setUpSecondFactor',
    room,
    method: 'POST',
    path: '/api/user/:id/second-factor',
    access: 'session',
    stepUp: 'always',
    summary: 'Begin adding an authenticator app; it counts once it is confirmed',
    params: IdParams,
    reply: SecondFactorSetup,
    errors: ['conflict'],
  }),
  confirmSecondFactor: defineRoute({
    id: 'confirmSecondFactor',
    room,
    method: 'POST',
    path: '/api/user/:id/second-factor/confirm',
    access: 'session',
    stepUp: 'always',
    summary: 'Switch the second factor on with a first code of the app',
    params: IdParams,
    body: SecondFactorProof,
    reply: RecoveryCodes,
    errors: ['wrong_code', 'conflict'],
  }),
  renewRecoveryCodes: defineRoute({
    id: 'renewRecoveryCodes',
    room,
    method: 'POST',
    path: '/api/user/:id/second-factor/recovery-codes',
    access: 'session',
    stepUp: 'always',
    summary: 'Make new recovery codes; the old ones stop working',
    params: IdParams,
    body: SecondFactorProof,
    reply: RecoveryCodes,
    errors: ['wrong_code', 'conflict'],
  }),
  disableSecondFactor: defineRoute({
    id: 'disableSecondFactor',
    room,
    method: 'POST',
    path: '/api/user/:id/second-factor/disable',
    access: 'session',
    stepUp: 'always',
    summary: 'Switch the second factor off with a code of the app or a recovery code',
    params: IdParams,
    body: SecondFactorProof,
    reply: SecondFactor,
    errors: ['wrong_code', 'conflict'],
  }),
  passkeys: defineRoute({
    id: 'listPasskeys',
    room,
    method: 'GET',
    path: '/api/user/:id/passkeys',
    access: 'session',
    summary: 'Passkeys, newest first',
    params: IdParams,
    reply: z.array(Passkey),
  }),
  passkeyOptions: defineRoute({
    id: 'getPasskeyOptions',
    room,
    method: 'POST',
    path: '/api/user/:id/passkeys/options',
    access: 'session',
    stepUp: 'always',
    summary: 'Start adding a passkey',
    params: IdParams,
    reply: WebAuthnJson,
  }),
  addPasskey: defineRoute({
    id: 'addPasskey',
    room,
    method: 'POST',
    path: '/api/user/:id/passkeys',
    access: 'session',
    stepUp: 'always',
    summary: 'Add the passkey that the device made',
    params: IdParams,
    body: z
      .object({ name: z.string().trim().min(1).max(80).default('Passkey'), response: WebAuthnJson })
      .meta({ id: 'NewPasskey' }),
    reply: Passkey,
    status: 201,
    errors: ['invalid_token', 'conflict'],
  }),
  removePasskey: defineRoute({
    id: 'removePasskey',
    room,
    method: 'DELETE',
    path: '/api/user/:id/passkeys/:passkeyId',
    access: 'session',
    stepUp: 'always',
    summary: 'Remove a passkey',
    params: PasskeyParams,
    reply: MessageReply,
  }),
  requestExport: defineRoute({
    id: 'requestExport',
    room,
    method: 'POST',
    path: '/api/user/:id/exports',
    access: 'session',
    stepUp: 'always',
    summary: 'Ask for a copy of everything; while one is being made, that one is answered',
    params: IdParams,
    reply: DataExport,
    status: 202,
  }),
  exports: defineRoute({
    id: 'listExports',
    room,
    method: 'GET',
    path: '/api/user/:id/exports',
    access: 'session',
    summary: 'Exports and how far they are, newest first',
    params: IdParams,
    reply: z.array(DataExport),
  }),
  downloadExport: defineRoute({
    id: 'downloadExport',
    room,
    method: 'GET',
    path: '/api/user/:id/exports/:exportId/download',
    access: 'session',
    stepUp: 'always',
    summary: 'The zip; the mailed link leads to Settings, which offers it',
    params: ExportParams,
  }),
  testWebhook: defineRoute({
    id: 'testWebhook',
    room,
    method: 'POST',
    path: '/api/user/:id/webhook/test',
    access: 'session',
    summary: 'Send a test event to the saved webhook address, now',
    params: IdParams,
    reply: WebhookTest,
    errors: ['conflict', 'unavailable'],
  }),
} as const
