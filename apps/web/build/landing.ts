import { fileURLToPath } from 'node:url'
import { type Connect, type Plugin, runnerImport } from 'vite'

const PAGE = '/landing.html'
const RENDERER = fileURLToPath(new URL('../src/prerender.tsx', import.meta.url))
const PLACE = '<!-- prerendered -->'

interface Renderer {
  prerender(): string
}

/** Writes the landing page's own component into landing.html, so that it is read before any script runs. */
export function prerenderLanding(): Plugin {
  return {
    name: 'prerender-landing',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        if (path !== PAGE) return undefined
        const renderer = server ? await server.ssrLoadModule(RENDERER) : (await runnerImport<Renderer>(RENDERER)).module
        return html.replace(PLACE, (renderer as Renderer).prerender())
      },
    },
    configureServer: ({ middlewares }) => void middlewares.use(asTheServerAnswers),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(asTheServerAnswers),
  }
}

/** As the api does it: the start page of a visitor is the landing page, everybody else's is the app. */
const asTheServerAnswers: Connect.NextHandleFunction = (request, _response, next) => {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const isVisitor = !/session_token=/.test(request.headers.cookie ?? '') && !query.includes('auth=')
  if (path === '/' && isVisitor) request.url = query ? `${PAGE}?${query}` : PAGE
  next()
}
