import { SETTINGS_DEFAULTS, type Tone, type TIMEZONES, type UserSettings } from '@parley/contract'
import { boolean, index, integer, snakeCase, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'

const instant = () => timestamp({ withTimezone: true })
const created = () => instant().notNull().defaultNow()

/** People. A row exists only once its address is proven; before that there is a mail link with what was asked for. */
export const user = snakeCase.table('user', {
  id: text().primaryKey(),
  /** The full name. */
  name: text().notNull(),
  /** In lower case. */
  email: text().notNull().unique(),
  emailVerified: boolean().notNull().default(false),
  image: text(),
  phone: text(),
  companyName: text(),
  timezone: text().$type<(typeof TIMEZONES)[number]>().notNull().default('UTC'),
  createdAt: created(),
  updatedAt: created(),
})

const owner = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/** The next three are the authentication library's own, with its names. */
export const session = snakeCase.table(
  'session',
  {
    id: text().primaryKey(),
    userId: owner(),
    token: text().notNull().unique(),
    expiresAt: instant().notNull(),
    ipAddress: text(),
    userAgent: text(),
    createdAt: created(),
    updatedAt: created(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
)

/** A way in: the password (provider "credential") or another service's identity. */
export const account = snakeCase.table(
  'account',
  {
    id: text().primaryKey(),
    userId: owner(),
    providerId: text().notNull(),
    accountId: text().notNull(),
    /** The hash; of provider "credential" only. */
    password: text(),
    accessToken: text(),
    refreshToken: text(),
    idToken: text(),
    accessTokenExpiresAt: instant(),
    refreshTokenExpiresAt: instant(),
    scope: text(),
    createdAt: created(),
    updatedAt: created(),
  },
  (table) => [index().on(table.userId), uniqueIndex().on(table.providerId, table.accountId)],
)

export const verification = snakeCase.table(
  'verification',
  {
    id: text().primaryKey(),
    identifier: text().notNull(),
    value: text().notNull(),
    expiresAt: instant().notNull(),
    createdAt: created(),
    updatedAt: created(),
  },
  (table) => [index().on(table.identifier), index().on(table.expiresAt)],
)

export const LINK_KINDS = ['registration', 'email_change', 'password'] as const
export type LinkKind = (typeof LINK_KINDS)[number]

/** What a mailed link does when its one token is used. The token is derived from the id: this table opens nothing. */
export const mailLink = snakeCase.table(
  'mail_link',
  {
    id: text().primaryKey(),
    kind: text({ enum: LINK_KINDS }).notNull(),
    /** The address the mail goes to, in lower case; using the link proves it. */
    email: text().notNull(),
    /** Whose address changes. */
    userId: text().references(() => user.id, { onDelete: 'cascade' }),
    /** Of the person who registers. */
    fullName: text(),
    passwordHash: text(),
    createdAt: created(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.email, table.createdAt), index().on(table.expiresAt)],
)

/** Who has had the free credits: a keyed hash of the address, which outlives the account and tells nobody's name. */
export const knownIdentity = snakeCase.table('known_identity', {
  hash: text().primaryKey(),
  createdAt: created(),
})

/** Settings of those who changed any; the others have the defaults. */
export const userSettings = snakeCase.table('user_settings', {
  userId: owner().primaryKey(),
  defaultTone: text().$type<Tone>().notNull().default(SETTINGS_DEFAULTS.defaultTone),
  defaultMaxDurationMinutes: integer().notNull().default(SETTINGS_DEFAULTS.defaultMaxDurationMinutes),
  defaultVoiceId: text().$type<UserSettings['defaultVoiceId']>().notNull().default(SETTINGS_DEFAULTS.defaultVoiceId),
  defaultLanguage: text().$type<UserSettings['defaultLanguage']>().notNull().default(SETTINGS_DEFAULTS.defaultLanguage),
  autoDetectLanguage: boolean().notNull().default(SETTINGS_DEFAULTS.autoDetectLanguage),
  emailNotifications: boolean().notNull().default(SETTINGS_DEFAULTS.emailNotifications),
  webhookUrl: text(),
  recordCalls: boolean().notNull().default(SETTINGS_DEFAULTS.recordCalls),
  retentionDays: integer().notNull().default(SETTINGS_DEFAULTS.retentionDays),
})
