import { formatEnvelope, parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { type Keys, keysFor } from '@parley/contract/keys'
import { and, asc, eq, gt, like, notLike } from 'drizzle-orm'
import type { Db, Reader } from '../../platform/db.ts'
import type { Run } from '../../platform/rounds/rounds.ts'
import { secondFactor } from '../schema.ts'

// Secrets of authenticator apps as they are stored: encrypted by the library, in its envelope with the id of the key.

const PIECE = 200
/** How the library's envelope begins; secrets of a key without an id have none. */
const ENVELOPE = '$ba$'

export async function sealFactor([first]: Keys, plain: string): Promise<string> {
  const hidden = await symmetricEncrypt({ key: first.secret, data: plain })
  return first.id === null ? hidden : formatEnvelope(first.id, hidden)
}

/** Throws when no key on the list sealed it. */
export async function openFactor(keys: Keys, sealed: string): Promise<string> {
  const envelope = parseEnvelope(sealed)
  let failure: unknown
  for (const { secret } of keysFor(keys, envelope?.version ?? null)) {
    try {
      return await symmetricDecrypt({ key: secret, data: envelope?.ciphertext ?? sealed })
    } catch (error) {
      failure = error
    }
  }
  throw new Error('No key of AUTH_SECRET opens this second factor.', { cause: failure })
}

export function isFactorOfFirst([first]: Keys, sealed: string): boolean {
  return first.id === null ? !sealed.startsWith(ENVELOPE) : sealed.startsWith(formatEnvelope(first.id, ''))
}

/** Sealed by another key than the first. */
function older([first]: Keys) {
  return first.id === null
    ? like(secondFactor.secret, `${ENVELOPE}%`)
    : notLike(secondFactor.secret, `${formatEnvelope(first.id, '')}%`)
}

/** Seals anew with the first key what an older one has sealed. Returns how many no key opens. */
export async function resealFactors(db: Db, keys: Keys, run: Pick<Run, 'check'>): Promise<number> {
  let lost = 0
  for (let after = ''; ;) {
    run.check()
    const piece = await olderFactors(db, keys, after)
    for (const { userId, secret } of piece) {
      const plain = await openFactor(keys, secret).catch(() => undefined)
      if (plain === undefined) lost++
      else {
        const asRead = and(eq(secondFactor.userId, userId), eq(secondFactor.secret, secret))
        await db
          .update(secondFactor)
          .set({ secret: await sealFactor(keys, plain) })
          .where(asRead)
      }
    }
    const last = piece.at(-1)
    if (!last || piece.length < PIECE) return lost
    after = last.userId
  }
}

function olderFactors(reader: Reader, keys: Keys, after: string) {
  return reader
    .select({ userId: secondFactor.userId, secret: secondFactor.secret })
    .from(secondFactor)
    .where(and(older(keys), gt(secondFactor.userId, after)))
    .orderBy(asc(secondFactor.userId))
    .limit(PIECE)
}

/** How many an older key has sealed, and how many of the first of these no key opens. */
export async function olderFactorsOf(reader: Reader, keys: Keys): Promise<{ waiting: number; lost: number }> {
  const [waiting, piece] = await Promise.all([reader.$count(secondFactor, older(keys)), olderFactors(reader, keys, '')])
  const opened = await Promise.all(
    piece.map(({ secret }) =>
      openFactor(keys, secret).then(
        () => true,
        () => false,
      ),
    ),
  )
  return { waiting, lost: opened.filter((isOpen) => !isOpen).length }
}
