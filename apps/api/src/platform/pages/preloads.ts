import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsRoutes } from '@parley/contract'
import { z } from 'zod'

const Preloads = z.record(z.string(), z.array(z.string().startsWith('/')))

/** The Link header of a page: preloads of its screen's code and of the current user. */
export type LinkHeader = (path: string, maySession: boolean) => string | undefined

/** Reads the list written by the web build; without it no header is sent. */
export async function readLinkHeader(webDir: string): Promise<LinkHeader> {
  const list = await readFile(join(webDir, 'preloads.json'), 'utf8').catch(() => '{}')
  const preloads = Preloads.parse(JSON.parse(list))
  return (path, maySession) => {
    const session = maySession
      ? [`<${accountsRoutes.currentUser.path}>; rel=preload; as=fetch; crossorigin=use-credentials`]
      : []
    // Low priority, so that the resources of the first paint load before them.
    const scripts = (preloads[path] ?? []).map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`)
    return [...session, ...scripts].join(', ') || undefined
  }
}
