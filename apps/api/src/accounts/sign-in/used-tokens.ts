import { createHash } from 'node:crypto'
import type { Reader } from '../../platform/db.ts'
import { usedToken } from '../schema.ts'

/** True for the first use of a token; remembered until the token expires. */
export async function useOnce(reader: Reader, token: string, expiresAt: Date): Promise<boolean> {
  const hash = createHash('sha256').update(token).digest('base64url')
  const first = await reader
    .insert(usedToken)
    .values({ hash, expiresAt })
    .onConflictDoNothing()
    .returning({ hash: usedToken.hash })
  return first.length > 0
}
