import { createPrivateKey } from 'node:crypto'
import { ConfigError } from '@parley/contract/environment'
import { z } from 'zod'
import type { AppLinks } from './platform/pages/app-links.ts'

const PAIRS = String.raw`([0-9A-F]{2}:){31}[0-9A-F]{2}`
const Fingerprints = z
  .string()
  .regex(
    new RegExp(String.raw`^\s*${PAIRS}\s*(,\s*${PAIRS}\s*)*$`),
    'must be 32 pairs of hexadecimal digits in capitals with colons between them, as keytool and the Play Console show it',
  )
const TenCharacters = z.string().regex(/^[A-Z0-9]{10}$/, 'must be ten capital letters and digits')
const serviceAddress = z.url({ protocol: /^https?$/, error: 'must be an address such as https://api.push.apple.com' })

/** Of the native apps: links that open them, and notifications. */
export const phoneVariables = {
  APPLE_TEAM_ID: z.optional(TenCharacters).meta({
    description: "Apple's id of the team that signs the iOS app: links of this host open in the app",
    unset: 'links open in the browser',
  }),
  ANDROID_CERT_SHA256: z.optional(Fingerprints).meta({
    description:
      'SHA-256 fingerprints of the certificates that sign the Android app, separated by commas: links of this host open in the app',
    unset: 'links open in the browser',
  }),
  APNS_KEY_FILE: z.optional(z.string().min(1)).meta({
    description: "path of the .p8 key for Apple's push service; needs APNS_KEY_ID and APPLE_TEAM_ID",
    unset: 'no notifications on iOS',
  }),
  APNS_KEY_ID: z.optional(TenCharacters).meta({ description: 'id of the key in APNS_KEY_FILE', unset: 'none' }),
  APNS_URL: serviceAddress.default('https://api.push.apple.com').meta({
    description: "Apple's push service; `https://api.sandbox.push.apple.com` for apps in development",
  }),
  FCM_ACCOUNT_FILE: z.optional(z.string().min(1)).meta({
    description: "path of the JSON key of a service account that may send through Firebase's messaging",
    unset: 'no notifications on Android',
  }),
  FCM_URL: serviceAddress.default('https://fcm.googleapis.com').meta({ description: "Firebase's messaging service" }),
} as const

const PhoneEnvironment = z.object(phoneVariables)

export interface ApnsKeys {
  readonly keyId: string
  readonly teamId: string
  /** PEM of the .p8 file. */
  readonly privateKey: string
  /** Apple's address: of the App Store's apps, or of those in development. */
  readonly url: string
}

/** As much of a service account's JSON file as is used. */
const ServiceAccount = z.object({
  project_id: z.string().regex(/^[\w:.-]+$/),
  client_email: z.string(),
  private_key: z.string(),
  token_uri: z.url({ protocol: /^https?$/ }),
})

export interface FcmKeys {
  readonly account: z.infer<typeof ServiceAccount>
  /** Firebase's address. */
  readonly url: string
}

/** Keys of the services that notify phones; without them, none is notified. */
export interface PushKeys {
  readonly apns: ApnsKeys | undefined
  readonly fcm: FcmKeys | undefined
}

export interface PhoneSettings {
  /** Which apps may open links of this host. */
  readonly appLinks: AppLinks
  readonly push: PushKeys
}

/**
 * `readText` reads a file or throws.
 * @throws ConfigError with one sentence for a missing part or an unreadable key
 */
export function phoneSettings(
  env: z.output<typeof PhoneEnvironment>,
  readText: (path: string) => string,
): PhoneSettings {
  const certificates = env.ANDROID_CERT_SHA256 ?? ''
  return {
    appLinks: {
      appleTeamId: env.APPLE_TEAM_ID,
      androidCertificates: certificates.split(',').flatMap((each) => each.trim() || []),
    },
    push: { apns: apnsOf(env, readText), fcm: fcmOf(env, readText) },
  }
}

function apnsOf(env: z.output<typeof PhoneEnvironment>, readText: (path: string) => string): PushKeys['apns'] {
  const { APNS_KEY_FILE: path, APNS_KEY_ID: keyId, APPLE_TEAM_ID: teamId, APNS_URL: url } = env
  if (path === undefined && keyId === undefined) return undefined
  if (path === undefined || keyId === undefined || teamId === undefined)
    throw new ConfigError('APNS_KEY_FILE, APNS_KEY_ID and APPLE_TEAM_ID belong together. Set all three.')
  const privateKey = read('APNS_KEY_FILE', path, readText)
  try {
    if (createPrivateKey(privateKey).asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error('another curve')
  } catch {
    throw new ConfigError(`APNS_KEY_FILE: ${path} is no .p8 key of Apple. Download it from the developer account.`)
  }
  return { keyId, teamId, privateKey, url: url.replace(/\/$/, '') }
}

function fcmOf(env: z.output<typeof PhoneEnvironment>, readText: (path: string) => string): PushKeys['fcm'] {
  const { FCM_ACCOUNT_FILE: path, FCM_URL: url } = env
  if (path === undefined) return undefined
  const text = read('FCM_ACCOUNT_FILE', path, readText)
  try {
    const account = ServiceAccount.parse(JSON.parse(text))
    createPrivateKey(account.private_key)
    return { account, url: url.replace(/\/$/, '') }
  } catch {
    throw new ConfigError(
      `FCM_ACCOUNT_FILE: ${path} is no JSON key of a service account. Download it from the console.`,
    )
  }
}

function read(name: string, path: string, readText: (path: string) => string): string {
  try {
    return readText(path)
  } catch (error) {
    const code = error instanceof Error ? String(Reflect.get(error, 'code')) : 'unknown'
    throw new ConfigError(`${name}: the file ${path} cannot be read (${code}). Correct the path or its permissions.`)
  }
}
