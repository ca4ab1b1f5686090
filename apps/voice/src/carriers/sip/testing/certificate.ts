import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificate {
  readonly key: string
  readonly cert: string
  /** Holds both. */
  readonly file: string
  readonly remove: () => Promise<void>
}

/** A certificate that signs itself, for one DNS name and one address. */
export async function selfSigned(name: string, address: string): Promise<Certificate> {
  const dir = await mkdtemp(join(tmpdir(), 'certificate-'))
  const [key, cert, file] = ['key.pem', 'cert.pem', 'both.pem'].map((one) => join(dir, one))
  if (!key || !cert || !file) throw new Error('no file names')
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name},IP:${address}`, '-days', '2']
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert]
  await promisify(execFile)('openssl', ['req', ...made, ...about])
  const texts = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  await writeFile(file, `${texts.key}${texts.cert}`)
  return { ...texts, file, remove: () => rm(dir, { recursive: true, force: true }) }
}
