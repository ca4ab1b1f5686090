import { sql } from 'drizzle-orm'
import {
  type KeyScope,
  SECURITY_EVENTS,
  SETTINGS_DEFAULTS,
  SHELL_PLATFORMS,
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

/** Users. A row exists only for a verified address; before that there is a mail link with the registration. */
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
  /** Closed: no sign-in, personal fields are erased; the row is deleted when the last call has ended. */
  closedAt: instant(),
})

const owner = () =>
  text()
    .notNull()
    .references(() => user.id, { onDelete: 'cascade' })

/** This table and the next two have the authentication library's names. */
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
    /** The last step-up; the sign-in counts as the first. */
    steppedUpAt: instant().defaultNow(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
)

/** A sign-in method: the password (provider "credential") or another service's identity. */
export const account = snakeCase.table(
  'account',
  {
    id: text().primaryKey(),
    userId: owner(),
    providerId: text().notNull(),
    accountId: text().notNull(),
    /** The hash; of provider "credential" only. */
    password: text(),
    /** When the password's owner proved access to the mailbox; null: the first login asks for that proof. */
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

/** Mailed links. The token is derived from the id with a secret: this table alone opens no link. */
export const mailLink = snakeCase.table(
  'mail_link',
  {
    id: text().primaryKey(),
    kind: text({ enum: LINK_KINDS }).notNull(),
    /** The address the mail goes to, in lower case; using the link proves it. */
    email: text().notNull(),
    /** The user, for a change of address. */
    userId: text().references(() => user.id, { onDelete: 'cascade' }),
    /** For a registration. */
    fullName: text(),
    passwordHash: text(),
    createdAt: created(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.email, table.createdAt), index().on(table.expiresAt)],
)

/** Mailboxes that got the free credits: keyed hashes, which outlive the account and reveal no address. */
export const knownIdentity = snakeCase.table('known_identity', {
  hash: text().primaryKey(),
  createdAt: created(),
})

/**
 * Secrets of this server that were its first key before and under which hashes stand that cannot be made anew. Each is
 * sealed with the first key.
 */
export const pastKey = snakeCase.table('past_key', {
  /** A MAC by the secret itself. */
  fingerprint: text().primaryKey(),
  sealed: text().notNull(),
  createdAt: created(),
})

/** Settings of users who changed any; all others have the defaults. */
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

/** API keys. The key itself is shown once and not stored. */
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

/** Security events, shown to the account's owner. */
export const securityEvent = snakeCase.table(
  'security_event',
  {
    id: bigint({ mode: 'number' })
      .notNull()
      .default(sql`nextval('security_event_ids')`),
    userId: owner(),
    kind: text({ enum: SECURITY_EVENTS }).notNull(),
    detail: text(),
    ipAddress: text(),
    userAgent: text(),
    at: created(),
  },
  (table) => [primaryKey({ columns: [table.id, table.at] }), index().on(table.userId, table.id), index().on(table.at)],
)

/**
 * Wrong passwords, wrong codes and requested mails, counted per account and address, so that an attacker cannot lock
 * out the owner elsewhere.
 */
export const signInAttempt = snakeCase.table(
  'sign_in_attempt',
  {
    /** A keyed hash of the typed account, existing or not. */
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

/** The one mailed code per user and use. It is derived from the id with a secret: this table alone reveals no code. */
export const emailCode = snakeCase.table(
  'email_code',
  {
    userId: owner(),
    use: text({ enum: EMAIL_CODE_USES }).notNull(),
    /** Changes with each mail. */
    id: text().notNull(),
    tries: integer().notNull().default(0),
    mailedAt: created(),
    expiresAt: instant().notNull(),
    /** Mails since the first of the day, which bounds the codes to guess at. */
    mails: integer().notNull().default(1),
    firstMailedAt: created(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.use] })],
)

/** Used one-time tokens, until they expire. */
export const usedToken = snakeCase.table('used_token', {
  hash: text().primaryKey(),
  expiresAt: instant().notNull(),
})

/** Codes that a native app exchanges for a session. */
export const nativeCode = snakeCase.table('native_code', {
  /** SHA-256 of the code. */
  hash: text().primaryKey(),
  userId: owner(),
  /** The challenge of the requesting app: the code also needs its verifier. */
  challenge: text(),
  /** The sign-in method. */
  method: text().notNull(),
  expiresAt: instant().notNull(),
})

/** An authenticator app; required at login once confirmed. */
export const secondFactor = snakeCase.table('second_factor', {
  userId: owner().primaryKey(),
  /** Encrypted with the server's secret. */
  secret: text().notNull(),
  confirmedAt: instant(),
  /** The 30-second step of the last used code, so that no code works twice. */
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

/** Exports of a user's data. */
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

/** The zip in pieces, so that every node can make and serve it and it is deleted with the account. */
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

/** Enterprise inquiries. */
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

/** A native app's session has a row here too: it is entered by a token, never by a cookie. */
export const shellSession = snakeCase.table('shell_session', {
  sessionId: text()
    .primaryKey()
    .references(() => session.id, { onDelete: 'cascade' }),
  platform: text({ enum: SHELL_PLATFORMS }).notNull(),
  /** Of the page that began it; the token is refused from any other. */
  origin: text().notNull(),
  /** SHA-256 of the token. */
  tokenHash: text().notNull().unique(),
  /** SHA-256 of the token that takes its place once it is used. */
  nextHash: text().unique(),
})

/** Tickets of native apps, for one request each. */
export const ticket = snakeCase.table(
  'ticket',
  {
    /** SHA-256 of the ticket. */
    hash: text().primaryKey(),
    sessionId: text()
      .notNull()
      .references(() => session.id, { onDelete: 'cascade' }),
    /** Path and query that it is good for. */
    path: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.sessionId), index().on(table.expiresAt)],
)
