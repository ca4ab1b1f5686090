import { CALL_MINUTES_DEFAULT } from '../calls/calls.ts'
import type { UserSettings } from './shapes.ts'

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

export const ALL_REQUIRED = 'All fields are required'
export const CREDENTIALS_REQUIRED = 'Please enter your email address and your password.'

/** A code of the authenticator app, or a recovery code. */
export const CODE_MISSING = 'Please enter the code.'

/** The sign-in of a native shell is asked for with this state, and comes back to the app by its link. */
export const NATIVE_STATE = 'mobile-app'
/** Longer than an app takes to open; the code works once. */
export const NATIVE_CODE_SECONDS = 60
