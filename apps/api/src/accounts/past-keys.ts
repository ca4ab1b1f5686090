import type { Key, Keys } from '@parley/contract/keys'
import { and, desc, eq } from 'drizzle-orm'
import { type Db, type Reader, withTx } from '../platform/db.ts'
import { isSealedWithFirst, macOf, open, seal } from '../platform/keys.ts'
import { pastKey } from './schema.ts'
import { olderFactorsOf } from './second-factor/factor-secrets.ts'

// Hashes of recovery codes and mailboxes cannot be made anew under another key, since nobody here knows the text. So a
// key that is rotated out is kept, sealed with its successor, to recognise them.

/** Older ones are of no use any more. */
const KEPT_MAX = 16

const fingerprintOf = (key: Key) => macOf(key, 'fingerprint of a key')
const sealedFor = (fingerprint: string) => ({ use: 'parley past key', about: fingerprint })

/** Ids grow: one that is higher is of a key that nothing was made with yet, and no secret for the database. */
function olderOf([first, ...others]: Keys): Key[] {
  return others.filter(({ id }) => (id ?? 0) < (first.id ?? 0))
}

/** Keeps the keys that were the first one, and seals anew with the first what another has sealed. */
export async function keepPastKeys(db: Db, keys: Keys): Promise<void> {
  const [first] = keys
  await withTx(db, async (tx) => {
    for (const key of olderOf(keys)) {
      const fingerprint = fingerprintOf(key)
      const sealed = seal(keys, sealedFor(fingerprint), key.secret)
      await tx.insert(pastKey).values({ fingerprint, sealed }).onConflictDoNothing()
    }
    await tx.delete(pastKey).where(eq(pastKey.fingerprint, fingerprintOf(first)))
    for (const { fingerprint, sealed } of await readRows(tx)) {
      const secret = isSealedWithFirst(keys, sealed) ? undefined : opened(keys, fingerprint, sealed)
      if (secret === undefined) continue
      const asRead = and(eq(pastKey.fingerprint, fingerprint), eq(pastKey.sealed, sealed))
      await tx
        .update(pastKey)
        .set({ sealed: seal(keys, sealedFor(fingerprint), secret) })
        .where(asRead)
    }
  })
}

/** Keys under which a hash may stand: those on the list, and those that were on it. */
export async function hashKeys(reader: Reader, keys: Keys): Promise<Keys> {
  const known = new Set(keys.map(fingerprintOf))
  const past = (await readRows(reader)).flatMap(({ fingerprint, sealed }): Key[] => {
    const secret = known.has(fingerprint) ? undefined : opened(keys, fingerprint, sealed)
    return secret === undefined ? [] : [{ id: null, secret }]
  })
  const [first, ...older] = keys
  return [first, ...older, ...past]
}

/** What stands in the way of taking older keys off the list. */
interface KeyStanding {
  /** Second factors that an older key has sealed. */
  readonly waiting: number
  /** Second factors that no key on the list opens. */
  readonly lost: number
  /** Older keys that are not kept here yet. */
  readonly unkept: readonly Key[]
}

export async function standingOfKeys(reader: Reader, keys: Keys): Promise<KeyStanding> {
  const rows = (await readRows(reader)).filter(({ sealed }) => isSealedWithFirst(keys, sealed))
  const kept = new Set(rows.map(({ fingerprint }) => fingerprint))
  return {
    ...(await olderFactorsOf(reader, keys)),
    unkept: olderOf(keys).filter((key) => !kept.has(fingerprintOf(key))),
  }
}

function readRows(reader: Reader) {
  return reader.select().from(pastKey).orderBy(desc(pastKey.createdAt)).limit(KEPT_MAX)
}

/** undefined: a key that is gone has sealed it. */
function opened(keys: Keys, fingerprint: string, sealed: string): string | undefined {
  try {
    return open(keys, sealedFor(fingerprint), sealed)
  } catch {
    return undefined
  }
}
