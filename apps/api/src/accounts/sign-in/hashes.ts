import { createHash } from 'node:crypto'

/** For secrets too long to be guessed, which are stored by their hash alone. */
export function sha256(text: string, encoding: 'base64url' | 'hex'): string {
  return createHash('sha256').update(text).digest(encoding)
}
