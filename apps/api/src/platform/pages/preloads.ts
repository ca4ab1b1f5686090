import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { accountsRoutes } from '@parley/contract'
import { z } from 'zod'

const Preloads = z.record(z.string(), z.array(z.string().startsWith('/')))

/** Tells a browser with the page itself what that page is about to ask for: its screen's code, and who is signed in. */
export type LinkHeader = (path: string, maySession: boolean) => string | undefined

/** By the list that the web app's build leaves beside its files; a build without one is served without. */
export async function readLinkHeader(webDir: string): Promise<LinkHeader> {
  const list = await readFile(join(webDir, 'preloads.json'), 'utf8').catch(() => '{}')
  const preloads = Preloads.parse(JSON.parse(list))
  return (path, maySession) => {
    const session = maySession
      ? [`<${accountsRoutes.currentUser.path}>; rel=preload; as=fetch; crossorigin=use-credentials`]
      : []
    // What the page is painted with comes before them.
    const scripts = (preloads[path] ?? []).map((file) => `<${file}>; rel=modulepreload; fetchpriority=low`)
    return [...session, ...scripts].join(', ') || undefined
  }
}
