import type { Api } from './api.ts'
import { type Bridge, textOf } from './bridge.ts'

const PLUGIN = 'Filesystem'
/** For the share sheet alone: the system may empty it. */
const DIRECTORY = 'CACHE'
/** A multiple of three, so that each piece is whole in base64. */
const PIECE_BYTES = 3 * 128 * 1024
/** A long recording on a slow network. */
const LOAD_MS = 180_000
const UNSAFE = /[^\p{L}\p{N}+._ -]+/gu
const ENDINGS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'text/csv': 'csv',
  'text/vcard': 'vcf',
}

/** Files by the system's share sheet, where the user saves or sends them. */
export class Files {
  readonly #bridge: Bridge
  readonly #api: Api

  constructor(bridge: Bridge, api: Api) {
    this.#bridge = bridge
    this.#api = api
  }

  /** Loads a file of the api with the session's token. Rejects when the server refuses it. */
  async load(path: string): Promise<{ readonly name: string; readonly blob: Blob }> {
    const response = await fetch(this.#api.base + path, {
      credentials: 'omit',
      headers: this.#api.headers(),
      signal: AbortSignal.timeout(LOAD_MS),
    })
    if (!response.ok) throw new Error(`${response.status}: ${path}`)
    return { name: nameOf(path, response.headers), blob: await response.blob() }
  }

  /** Resolves when the sheet has closed, whatever the user chose there. */
  async share(name: string, blob: Blob): Promise<void> {
    const uri = await this.#write(name.replaceAll(UNSAFE, '-') || 'parley', blob)
    await this.#bridge.call('Share', 'share', { title: name, files: [uri] }).catch((error: unknown) => {
      // The user closed the sheet.
      if (!/cancel/i.test(String(error))) throw error
    })
  }

  async #write(path: string, blob: Blob): Promise<string> {
    const { call } = this.#bridge
    let uri = ''
    for (let start = 0; start === 0 || start < blob.size; start += PIECE_BYTES) {
      const data = await base64Of(blob.slice(start, start + PIECE_BYTES))
      const file = { path, directory: DIRECTORY, data }
      if (start === 0) uri = textOf((await call(PLUGIN, 'writeFile', file))['uri'])
      else await call(PLUGIN, 'appendFile', file)
    }
    return uri
  }
}

/** By the server's header, or by the last part of the path. */
function nameOf(path: string, headers: Headers): string {
  const given = /filename="?([^";]+)/.exec(headers.get('content-disposition') ?? '')?.[1]
  if (given) return given
  const last = new URL(path, 'https://app.invalid').pathname.split('/').at(-1) ?? ''
  const ending = ENDINGS[(headers.get('content-type') ?? '').split(';')[0] ?? '']
  return ending && !last.includes('.') ? `${last}.${ending}` : last
}

async function base64Of(piece: Blob): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const reader = new FileReader()
  reader.addEventListener('load', () => resolve(textOf(reader.result).replace(/^[^,]*,/, '')))
  reader.addEventListener('error', () => reject(new Error('The file could not be read')))
  reader.readAsDataURL(piece)
  return promise
}
