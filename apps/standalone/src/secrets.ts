import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const Secrets = z.object({ auth: z.string().min(32), voice: z.string().min(32) })
export type Secrets = z.infer<typeof Secrets>

/** Made at the first start and kept with the data, so that sessions outlive a restart. */
export async function keepSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text !== undefined) return Secrets.parse(JSON.parse(text))
  const secrets = { auth: randomBytes(32).toString('base64url'), voice: randomBytes(32).toString('base64url') }
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  await writeFile(file, JSON.stringify(secrets), { mode: 0o600 })
  return secrets
}
