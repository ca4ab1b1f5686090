import { createHmac, hkdfSync } from 'node:crypto'
import { type NewCall, Vault, type VaultItem } from '@parley/contract'
import type { Key } from '@parley/contract/keys'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader, Tx } from '../platform/db.ts'
import { AppError, notFound } from '../platform/errors.ts'
import { open, seal } from '../platform/keys.ts'
import { call, callVault } from './schema.ts'

// Private values of a call, encrypted at rest (AES-256-GCM) and deleted in the transaction that ends the call.

type Values = z.output<typeof Vault>
type WithKeys = Pick<Config, 'authKeys'>

const sealedFor = (callId: string) => ({ use: 'parley vault', about: callId })

/** The call's id is authenticated, so that a row moved to another call cannot be opened. */
export function sealVault({ authKeys }: WithKeys, callId: string, vault: Values): string {
  return seal(authKeys, sealedFor(callId), JSON.stringify(vault))
}

/** Throws when it was sealed under another secret, for another call, or altered. */
export function openVault({ authKeys }: WithKeys, callId: string, sealed: string): Values {
  return Vault.parse(JSON.parse(open(authKeys, sealedFor(callId), sealed)))
}

export async function keepVault(tx: Tx, config: WithKeys, callId: string, vault: Values): Promise<void> {
  if (vault.length > 0) await tx.insert(callVault).values({ callId, sealed: sealVault(config, callId, vault) })
}

export async function readVault(reader: Reader, config: WithKeys, callId: string): Promise<Values> {
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
 * The body as its idempotency hash is made of it, under each key: a plain hash of four digits could be tried out.
 * Without mandates and private values it is as before there were any.
 */
export function bodiesToHash({ authKeys }: WithKeys, { vault, mandates, ...body }: NewCall): [object, ...object[]] {
  const plain = { ...body, mandates: mandates.length === 0 ? undefined : mandates }
  if (vault.length === 0) return [plain]
  const hidden = ({ secret }: Key) => {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'parley vault body', 32))
    return { ...plain, vault: createHmac('sha256', key).update(JSON.stringify(vault)).digest('base64url') }
  }
  const [first, ...older] = authKeys
  return [hidden(first), ...older.map(hidden)]
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
