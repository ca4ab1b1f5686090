import {
  type KeyScope,
  SECURITY_EVENTS,
  SETTINGS_DEFAULTS,
  type Tone,
  type TIMEZONES,
  type UserSettings,
} from '@parley/contract'
import {
  bigint,
  boolean,
  bytea,
  index,
  integer,
  primaryKey,
  snakeCase,
  text,
  timestamp,
  uniqueIndex,
} from 'drizzle-orm/pg-core'

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
  /**
   * Since then nobody signs in here, and nothing of the person is left in this row; it goes when the last call has
   * ended.
   */
  closedAt: instant(),
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
    /** When its person last proved who they are, first of all by signing in. */
    steppedUpAt: instant().defaultNow(),
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
    /**
     * When whoever has the password showed that they read the mail of its address, too; null: its first use asks for
     * that.
     */
    confirmedAt: instant(),
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

/** Keys for programs. The key itself is shown once and kept by nobody here. */
export const apiKey = snakeCase.table(
  'api_key',
  {
    id: text().primaryKey(),
    userId: owner(),
    name: text().notNull(),
    /** SHA-256 of the whole key. */
    hash: text().notNull().unique(),
    masked: text().notNull(),
    scopes: text().$type<KeyScope>().array().notNull(),
    createdAt: created(),
    lastUsedAt: instant(),
  },
  (table) => [index().on(table.userId)],
)

/** What happened to an account, for its owner to read. */
export const securityEvent = snakeCase.table(
  'security_event',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: owner(),
    kind: text({ enum: SECURITY_EVENTS }).notNull(),
    detail: text(),
    ipAddress: text(),
    userAgent: text(),
    at: created(),
  },
  (table) => [index().on(table.userId, table.id), index().on(table.at)],
)

/**
 * Wrong passwords and codes, and mails asked for, counted for a pair of account and address: nobody can lock out
 * somebody elsewhere.
 */
export const signInAttempt = snakeCase.table(
  'sign_in_attempt',
  {
    /** A keyed hash of what was tried, whether or not it exists. */
    account: text().notNull(),
    address: text().notNull(),
    failures: integer().notNull(),
    blockedUntil: instant().notNull(),
    lastAt: created(),
  },
  (table) => [primaryKey({ columns: [table.account, table.address] }), index().on(table.lastAt)],
)

export const EMAIL_CODE_USES = ['login', 'step_up'] as const
export type EmailCodeUse = (typeof EMAIL_CODE_USES)[number]

/** The one mailed code that a person may type for a use. It is derived from the id: this table opens nothing. */
export const emailCode = snakeCase.table(
  'email_code',
  {
    userId: owner(),
    use: text({ enum: EMAIL_CODE_USES }).notNull(),
    /** Another with each mail. */
    id: text().notNull(),
    tries: integer().notNull().default(0),
    mailedAt: created(),
    expiresAt: instant().notNull(),
    /** Mails since the day's first: whoever guesses gets a bounded number of codes to guess at. */
    mails: integer().notNull().default(1),
    firstMailedAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.use] })],
)

/** Tokens that count once and were used, until they expire by themselves. */
export const usedToken = snakeCase.table('used_token', {
  hash: text().primaryKey(),
  expiresAt: instant().notNull(),
})

/** Codes that a native app exchanges for a session. */
export const nativeCode = snakeCase.table('native_code', {
  /** SHA-256 of the code. */
  hash: text().primaryKey(),
  userId: owner(),
  /** Of the app that asked: who has the code needs the secret behind this as well. */
  challenge: text(),
  /** The way the person proved who they are. */
  method: text().notNull(),
  expiresAt: instant().notNull(),
})

/** An authenticator app; it is asked for once it is confirmed. */
export const secondFactor = snakeCase.table('second_factor', {
  userId: owner().primaryKey(),
  /** Encrypted with the server's secret. */
  secret: text().notNull(),
  confirmedAt: instant(),
  /** The 30-second step of the last code that was used; no code works twice. */
  lastStep: integer(),
})

export const recoveryCode = snakeCase.table('recovery_code', { userId: owner(), hash: text().notNull() }, (table) => [
  primaryKey({ columns: [table.userId, table.hash] }),
])

export const passkey = snakeCase.table(
  'passkey',
  {
    id: text().primaryKey(),
    userId: owner(),
    name: text().notNull(),
    credentialId: text().notNull().unique(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    counter: bigint({ mode: 'number' }).notNull(),
    transports: text().array().notNull(),
    createdAt: created(),
    lastUsedAt: instant(),
  },
  (table) => [index().on(table.userId)],
)

/** A copy of everything for its owner. */
export const dataExport = snakeCase.table(
  'data_export',
  {
    id: text().primaryKey(),
    userId: owner(),
    status: text({ enum: ['waiting', 'running', 'ready', 'failed'] }).notNull(),
    progress: integer().notNull().default(0),
    bytes: bigint({ mode: 'number' }),
    createdAt: created(),
    expiresAt: instant(),
  },
  (table) => [index().on(table.userId, table.createdAt)],
)

/** The zip, in pieces: every node can make it and hand it out, and it goes with the account. */
export const dataExportPart = snakeCase.table(
  'data_export_part',
  {
    exportId: text()
      .notNull()
      .references(() => dataExport.id, { onDelete: 'cascade' }),
    index: integer().notNull(),
    bytes: bytea().notNull(),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.index] })],
)

/** Companies that asked for their own terms. */
export const inquiry = snakeCase.table(
  'inquiry',
  {
    id: text().primaryKey(),
    companyName: text().notNull(),
    contactName: text().notNull(),
    email: text().notNull(),
    phone: text(),
    requirements: text(),
    createdAt: created(),
  },
  (table) => [index().on(table.email, table.createdAt)],
)
