import { APP_SCHEME, PAGES, returnTargetOf, SHELL_RETURN_PATH, SHELL_RETURN_URL } from '@parley/contract'

/** What a link that opened the app wants: a page of it, or to finish a sign-in. */
export type Wanted =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'sign-in'; readonly answer: URLSearchParams }

const SIGN_IN = /^\/auth(\/(google|apple))?$/
const CALL = /^\/calls\/([\w-]+)$/
const OF_THE_APP = '/app'

/**
 * Reads a link of the app's scheme (parley://verify-email?token=…) or of the backend (https://host/app/…). Undefined for
 * any other: a link may come from anybody, so it leads to known pages only.
 */
export function wantedBy(link: string, apiBase: string): Wanted | undefined {
  const url = appUrl(link, apiBase)
  if (!url) return undefined
  const path = url.pathname.replace(/\/+$/, '') || '/'
  if (SIGN_IN.test(path)) return { kind: 'sign-in', answer: url.searchParams }
  if (path === RETURN) return pageOf(returnTargetOf(url.searchParams))
  const call = CALL.exec(path)?.[1]
  if (call !== undefined) return pageOf(`/dashboard?call=${call}`)
  return Object.hasOwn(PAGES, path) ? pageOf(path + url.search) : undefined
}

const RETURN = pathOfScheme(SHELL_RETURN_URL) ?? SHELL_RETURN_PATH

function pageOf(path: string | undefined): Wanted | undefined {
  return path === undefined ? undefined : { kind: 'page', path }
}

/** The link as if it were one of the page's own. */
function appUrl(link: string, apiBase: string): URL | undefined {
  const path = pathOfScheme(link) ?? pathOfHost(link, apiBase)
  const base = 'https://app.invalid'
  return path !== undefined && URL.canParse(path, base) && new URL(path, base).origin === base
    ? new URL(path, base)
    : undefined
}

function pathOfScheme(link: string): string | undefined {
  const start = `${APP_SCHEME}://`
  return link.startsWith(start) ? `/${link.slice(start.length).replace(/^\/+/, '')}` : undefined
}

function pathOfHost(link: string, apiBase: string): string | undefined {
  if (!URL.canParse(link) || new URL(link).origin !== apiBase) return undefined
  const { pathname, search } = new URL(link)
  return (pathname.startsWith(`${OF_THE_APP}/`) ? pathname.slice(OF_THE_APP.length) : pathname) + search
}

interface Clicks {
  /** Opens another site. */
  readonly outside: (url: string) => void
  /** Shares a file of the api; `path` with its query. */
  readonly file: (path: string) => void
}

/**
 * Takes clicks on links that a web view cannot follow: other sites, and downloads of the api. Links within the app,
 * mailto: and tel: stay with the page. Returns a function that stops it.
 */
export function takeClicks(page: Document, apiBase: string, { outside, file }: Clicks): () => void {
  const follow = (event: MouseEvent) => {
    const link = event.defaultPrevented ? undefined : leavingLink(event.target, page.baseURI)
    if (!link) return
    event.preventDefault()
    if (link.isFile && link.url.origin === apiBase) file(link.url.pathname + link.url.search)
    else outside(link.url.href)
  }
  page.addEventListener('click', follow)
  return () => page.removeEventListener('click', follow)
}

/** The clicked link if it leads to another origin. */
function leavingLink(target: EventTarget | null, base: string): { url: URL; isFile: boolean } | undefined {
  const link = isElement(target) ? target.closest('a[href]') : null
  const href = link?.getAttribute('href')
  if (!link || href == null || !URL.canParse(href, base)) return undefined
  const url = new URL(href, base)
  const leaves = /^https?:$/.test(url.protocol) && url.origin !== new URL(base).origin
  return leaves ? { url, isFile: link.hasAttribute('download') } : undefined
}

function isElement(target: EventTarget | null): target is Element {
  return target !== null && 'closest' in target
}
