/**
 * The start page of the shells: names the backend, and the platforms whose push service is set up. The page of the web
 * reads both in apps/web/src/lib/platform/native.
 */
export function shellPage(page: string, apiBase: string, pushServices: readonly string[]): string {
  const meta = (name: string, content: string) => `<meta name="${name}" content="${content}" />`
  const metas = meta('parley-api', apiBase) + meta('parley-push', pushServices.join(' '))
  if (!page.includes('<head>')) throw new Error('The page has no head')
  return page.replace('<head>', () => `<head>${metas}`)
}
