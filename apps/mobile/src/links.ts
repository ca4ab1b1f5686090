/** Opens an address outside the app's own pages. */
export type Open = (url: string) => Promise<void>

/**
 * Opens links to other sites in the in-app browser, or by plain navigation when that fails. Links within the app,
 * mailto: and tel: stay with the page. Returns a function that stops it.
 */
export function sendLinksOutside(page: Document, openInApp: Open, navigate: (url: string) => void): () => void {
  const follow = (event: MouseEvent) => {
    const url = event.defaultPrevented ? undefined : externalLink(event.target, page.baseURI)
    if (url === undefined) return
    event.preventDefault()
    openInApp(url).catch(() => navigate(url))
  }
  page.addEventListener('click', follow)
  return () => page.removeEventListener('click', follow)
}

/** The URL of the clicked link if it leads to another site. */
export function externalLink(target: EventTarget | null, base: string): string | undefined {
  const link = isElement(target) ? target.closest('a[href]') : null
  const href = link?.getAttribute('href')
  if (href == null) return undefined
  const url = new URL(href, base)
  const leaves = /^https?:$/.test(url.protocol) && url.origin !== new URL(base).origin
  return leaves ? url.href : undefined
}

function isElement(target: EventTarget | null): target is Element {
  return target !== null && 'closest' in target
}

/** The path of a link with the app's own scheme: parley://billing?x=1 is /billing?x=1. */
export function pathOfAppLink(link: string, scheme: string): string | undefined {
  const start = `${scheme}://`
  if (!link.startsWith(start)) return undefined
  const path = link.slice(start.length).replace(/^\/+/, '')
  return `/${path}`
}
