import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type NewCall, Vault, type VaultItem } from '@parley/contract'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { call, callVault } from './schema.ts'

// Private values of a call, encrypted at rest (AES-256-GCM) and deleted in the transaction that ends the call.

type Values = z.output<typeof Vault>
type WithSecret = Pick<Config, 'authSecret'>

/** Of the key and the layout: base64url of nonce, tag and text follow. */
const VERSION = '1'
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

function keyOf({ authSecret }: WithSecret, use: string): Buffer {
  return Buffer.from(hkdfSync('sha256', authSecret, '', use, 32))
}

/** The call's id is authenticated, so that a row moved to another call cannot be opened. */
export function sealVault(config: WithSecret, callId: string, vault: Values): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, keyOf(config, 'parley vault'), nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(callId))
  const text = Buffer.concat([cipher.update(JSON.stringify(vault)), cipher.final()])
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')}`
}

/** Throws when it was sealed under another secret, for another call, or altered. */
export function openVault(config: WithSecret, callId: string, sealed: string): Values {
  const bytes = Buffer.from(sealed.slice(VERSION.length + 1), 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, keyOf(config, 'parley vault'), nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(callId))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  return Vault.parse(JSON.parse(text.toString()))
}

export async function keepVault(tx: Tx, config: WithSecret, callId: string, vault: Values): Promise<void> {
  if (vault.length > 0) await tx.insert(callVault).values({ callId, sealed: sealVault(config, callId, vault) })
}

export async function readVault(reader: Reader, config: WithSecret, callId: string): Promise<Values> {
  const [row] = await reader.select().from(callVault).where(eq(callVault.callId, callId))
  return row ? openVault(config, callId, row.sealed) : []
}

export async function forgetVault(tx: Tx, callId: string): Promise<void> {
  await tx.delete(callVault).where(eq(callVault.callId, callId))
}

/** Without the values. */
export function itemsOf(vault: Values): VaultItem[] {
  return vault.map(({ name, condition }) => ({ name, condition }))
}

/**
 * The body as its idempotency hash is made of it: a plain hash of four digits could be tried out. Without mandates and
 * private values it is as before there were any.
 */
export function bodyToHash(config: WithSecret, { vault, mandates, ...body }: NewCall): object {
  const values = vault.length === 0 ? undefined : createHmac('sha256', keyOf(config, 'parley vault body'))
  return {
    ...body,
    mandates: mandates.length === 0 ? undefined : mandates,
    vault: values?.update(JSON.stringify(vault)).digest('base64url'),
  }
}

/** The values of the call that is repeated are deleted, so that they must be given again. */
export async function refuseMissing(reader: Reader, userId: string, { repeats, vault }: NewCall): Promise<void> {
  if (repeats === undefined) return
  const own = and(eq(call.id, repeats), eq(call.userId, userId))
  const [earlier] = await reader.select({ vault: call.vault }).from(call).where(own)
  if (!earlier) throw notFound('The call')
  const given = new Set(vault.map(({ name }) => name.toLowerCase()))
  const missing = earlier.vault.filter(({ name }) => !given.has(name.toLowerCase()))
  if (missing.length === 0) return
  const names = missing.map(({ name }) => `“${name}”`).join(', ')
  throw new AppError('invalid_input', `Give ${names} again: private values are deleted when a call ends.`, {
    field: 'vault',
  })
}
