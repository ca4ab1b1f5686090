import { z } from 'zod'
import { APP_SCHEME } from './brand.ts'
import { Email, EMAIL_INVALID, FILL_IN_REQUIRED, Id, Instant, optionalText, WebUrl } from './common.ts'
import { CALL_MINUTES_DEFAULT, CALL_MINUTES_MAX, CALL_MINUTES_MIN, Tone } from './calls.ts'

export const PASSWORD_MIN_REGISTER = 8
export const PASSWORD_MIN_RESET = 6
export const PASSWORD_MAX = 128
export const MINIMUM_AGE_YEARS = 18
export const RETENTION_DAYS_MIN = 1
export const RETENTION_DAYS_MAX = 3650
/** The session keeps a copy of the user in the browser's local storage under this key. */
export const STORED_USER_KEY = 'parley.user'

export const TIMEZONES = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Sydney',
] as const

export const SETTINGS_LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ja', 'ko', 'zh'] as const

export const VOICES = ['default', 'professional', 'friendly', 'authoritative', 'warm'] as const
export const Voice = z.enum(VOICES)

export const User = z
  .object({
    id: Id,
    name: z.string(),
    fullName: z.string(),
    firstName: z.string(),
    email: z.string(),
    pendingEmail: z.string().nullable().describe('The address that takes its place once its owner confirms it'),
    phone: z.string().nullable(),
    companyName: z.string().nullable(),
    timezone: z.enum(TIMEZONES),
    creditBalance: z.string().regex(/^\d+$/).describe('What can be spent now, in whole credits: posted minus held'),
    creditsHeld: z.int().min(0).describe('Held by calls in progress; what they do not use comes back'),
    emailVerified: z.boolean(),
    createdAt: Instant,
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof User>

export const UserSettings = z
  .object({
    defaultTone: Tone,
    defaultMaxDurationMinutes: z.int().min(CALL_MINUTES_MIN).max(CALL_MINUTES_MAX),
    defaultVoiceId: Voice,
    defaultLanguage: z.enum(SETTINGS_LANGUAGES),
    autoDetectLanguage: z.boolean(),
    emailNotifications: z.boolean(),
    webhookUrl: WebUrl.nullable(),
    recordCalls: z.boolean().describe('Keep the audio of calls; off unless switched on'),
    retentionDays: z
      .int()
      .min(RETENTION_DAYS_MIN)
      .max(RETENTION_DAYS_MAX)
      .describe('Days until transcripts, recordings and summaries are erased'),
  })
  .meta({ id: 'UserSettings' })
export type UserSettings = z.infer<typeof UserSettings>

export const SETTINGS_DEFAULTS: UserSettings = {
  defaultTone: 'professional',
  defaultMaxDurationMinutes: CALL_MINUTES_DEFAULT,
  defaultVoiceId: 'default',
  defaultLanguage: 'en',
  autoDetectLanguage: true,
  emailNotifications: true,
  webhookUrl: null,
  recordCalls: false,
  retentionDays: 365,
}

const ALL_REQUIRED = 'All fields are required'
const CREDENTIALS_REQUIRED = 'Please enter your email address and your password.'

const FullName = z.string(ALL_REQUIRED).trim().min(1, ALL_REQUIRED).max(120)

export const ProfileChange = z
  .object({
    fullName: FullName.optional(),
    email: Email.optional(),
    phone: optionalText(40),
    companyName: optionalText(120),
    timezone: z.enum(TIMEZONES).optional(),
  })
  .meta({ id: 'ProfileChange', description: 'A field left out stays as it is; null or an empty text clears it' })

export const SettingsChange = z
  .object({ ...UserSettings.shape, webhookUrl: z.union([WebUrl, z.literal('').transform(() => null), z.null()]) })
  .partial()
  .meta({ id: 'SettingsChange' })

/** A code of the authenticator app, or a recovery code. */
const CODE_MISSING = 'Please enter the code.'
export const SecondFactorCode = z.string(CODE_MISSING).trim().min(1, CODE_MISSING).max(40)

export const LoginBody = z
  .object({
    email: z.string(CREDENTIALS_REQUIRED).max(254),
    password: z.string(CREDENTIALS_REQUIRED).max(PASSWORD_MAX),
    code: SecondFactorCode.optional().describe(
      'Asked for by second_factor_required: of the authenticator app, or a recovery code; by email_code_needed: the mailed one',
    ),
  })
  .meta({ id: 'Login' })

/** Both specified variants: (name, email, password) and (email, fullName, password). */
export const RegisterBody = z
  .object({
    name: z.string().trim().max(120).optional(),
    fullName: z.string().trim().max(120).optional(),
    email: z.string(ALL_REQUIRED).trim().max(254),
    password: z.string(ALL_REQUIRED).max(PASSWORD_MAX),
  })
  .meta({ id: 'Registration' })

export const EmailBody = z.object({ email: z.string(EMAIL_INVALID).trim().max(254) }).meta({ id: 'EmailAddress' })

export const ResetPasswordBody = z
  .object({
    token: z.string('No reset token found. Please check your email link.').max(500),
    newPassword: z.string(`Password must be at least ${PASSWORD_MIN_RESET} characters long`).max(PASSWORD_MAX),
  })
  .meta({ id: 'PasswordReset' })

export const AppleBody = z
  .object({
    identityToken: z.string().max(8000),
    authorizationCode: z.string().max(2000),
    user: z.unknown().optional().describe("Apple's user object or id, as the native sign-in returns it"),
    nonce: z
      .string()
      .max(200)
      .optional()
      .describe('What the nonce in the token is, or is the SHA-256 of in hexadecimal'),
  })
  .meta({ id: 'AppleSignIn' })

/** What Apple posts to the callback: a form. `user` is JSON and comes at the first sign-in only. */
export const AppleCallbackBody = z
  .object({
    id_token: z.string().max(8000).optional(),
    code: z.string().max(2000).optional(),
    state: z.string().max(200).optional(),
    user: z.string().max(2000).optional(),
    error: z.string().max(200).optional(),
  })
  .meta({ id: 'AppleCallback' })

/** `state` of a native app's sign-in, which returns to the app by its link. */
export const NATIVE_STATE = 'mobile-app'
/** Carries `code`, or `error` as the landing page's `message`. */
export const NATIVE_RETURN_URL = `${APP_SCHEME}://auth`
/** Longer than an app takes to open; the code works once. */
export const NATIVE_CODE_SECONDS = 60

/** SHA-256 of a secret of the app, base64url: an intercepted link back to the app is useless without the secret. */
export const Challenge = z.string().regex(/^[\w-]{43}$/)

export const NativeSignIn = z
  .object({
    code: z.string().max(200),
    verifier: z.string().min(43).max(128).optional().describe('The secret whose SHA-256 was sent as the challenge'),
  })
  .meta({ id: 'NativeSignIn' })

export const SessionReply = z.object({ user: User, message: z.string() }).meta({ id: 'SignedIn' })

/** Unknown and expired links differ, so that the page can say which. */
export const VerifyReply = z
  .object({
    message: z.string(),
    verified: z.literal(true),
    email: z.string().describe('The address that is proven now'),
  })
  .meta({ id: 'EmailVerified' })

export const EnterpriseInquiry = z
  .object({
    companyName: z.string(FILL_IN_REQUIRED).trim().min(1, FILL_IN_REQUIRED).max(200),
    contactName: z.string(FILL_IN_REQUIRED).trim().min(1, FILL_IN_REQUIRED).max(200),
    email: Email,
    phone: optionalText(40),
    requirements: optionalText(5000),
  })
  .meta({ id: 'EnterpriseInquiry' })
