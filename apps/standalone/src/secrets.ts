import { randomBytes } from 'node:crypto'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { damaged, errnoOf, flushFolder } from '@parley/api/data'
import { z } from 'zod'

const Secret = z.string().min(32)
const Secrets = z.object({ auth: Secret, voice: Secret })
export type Secrets = z.infer<typeof Secrets>

export const SECRETS_FILE = 'secrets.json'

/** undefined: there are none. Throws for damaged secrets: new ones would void every second factor. */
export async function readSecrets(dataDir: string): Promise<Secrets | undefined> {
  const file = join(dataDir, SECRETS_FILE)
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw await damaged(dataDir, `the secrets in ${file} cannot be read (${errnoOf(error)})`)
  }
  const read = Secrets.safeParse(jsonIn(text))
  if (read.success) return read.data
  const why =
    text.trim() === ''
      ? 'is empty'
      : jsonIn(text) === undefined
        ? 'is not JSON'
        : 'does not hold two secrets of 32 characters'
  throw await damaged(dataDir, `${file} ${why}`)
}

/**
 * Made at the first start and kept with the data, so that sessions and second factors survive a restart. Written
 * atomically.
 */
export async function makeSecrets(dataDir: string): Promise<Secrets> {
  const secrets = { auth: randomBytes(32).toString('base64url'), voice: randomBytes(32).toString('base64url') }
  await writeWhole(dataDir, SECRETS_FILE, JSON.stringify(secrets), 0o600)
  return secrets
}

export async function writeWhole(folder: string, name: string, text: string, mode: number): Promise<void> {
  const partial = join(folder, `${name}.new`)
  const file = await open(partial, 'w', mode)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(partial, join(folder, name))
  await flushFolder(folder)
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
