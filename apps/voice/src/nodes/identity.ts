import { hostname } from 'node:os'
import type { Config } from '../config.ts'

/** Addresses to listen on that nobody can connect to. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

export interface Identity {
  readonly nodeId: string
  /** undefined: nothing says where the api reaches this process and no other, so it cannot join. */
  readonly privateUrl: string | undefined
  readonly mediaUrl: string
}

/** Who this process is among the voice nodes, once it listens. */
export function identityOf({ host, nodeId, privateUrl, publicUrl }: Config, port: number): Identity {
  const isEvery = EVERY_ADDRESS.has(host)
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const reached = privateUrl ?? (isEvery ? undefined : own)
  const name = `${isEvery ? hostname() : host}-${port}`
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return { nodeId: nodeId ?? name.slice(-63), privateUrl: reached, mediaUrl: publicUrl ?? reached ?? own }
}
