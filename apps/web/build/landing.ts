import { fileURLToPath } from 'node:url'
import { type Connect, type Plugin, runnerImport } from 'vite'

const PAGE = 'landing.html'
const RENDERER = fileURLToPath(new URL('../src/prerender.tsx', import.meta.url))
const PLACE = '<!-- prerendered -->'

/** The texts of landing.html in a language. */
interface Page {
  readonly language: string
  readonly title: string
  readonly description: string
  readonly html: string
}

interface Renderer {
  /** English first. */
  readonly pages: readonly [Page, ...Page[]]
}

/**
 * Renders the landing page into landing.html, readable before any script runs, and one copy per other language:
 * landing.es.html.
 */
export function prerenderLanding(): Plugin {
  let pages: Renderer['pages']
  return {
    name: 'prerender-landing',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { path, server }) {
        if (path !== `/${PAGE}`) return undefined
        const renderer = server ? await server.ssrLoadModule(RENDERER) : (await runnerImport<Renderer>(RENDERER)).module
        pages = (renderer as Renderer).pages
        return html.replace(PLACE, () => pages[0].html)
      },
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const built = bundle[PAGE]
        if (built?.type !== 'asset') return
        const [english, ...others] = pages
        for (const other of others) {
          const source = translated(String(built.source), english, other)
          this.emitFile({ type: 'asset', fileName: PAGE.replace('.', `.${other.language}.`), source })
        }
      },
    },
    configureServer: ({ middlewares }) => void middlewares.use(asTheServerAnswers),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(asTheServerAnswers),
  }
}

function translated(html: string, from: Page, to: Page): string {
  const parts = [
    [`lang="${from.language}"`, `lang="${to.language}"`],
    [`<title>${from.title}</title>`, `<title>${to.title}</title>`],
    [`content="${from.description}"`, `content="${to.description}"`],
    [from.html, to.html],
  ] as const
  return parts.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`${PAGE} does not say what its catalogue says: ${before.slice(0, 80)}`)
    return text.replace(before, () => after)
  }, html)
}

/** As the api does: visitors get the landing page at /, everybody else the app. */
const asTheServerAnswers: Connect.NextHandleFunction = (request, _response, next) => {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const isVisitor = !/session_token=/.test(request.headers.cookie ?? '') && !query.includes('auth=')
  if (path === '/' && isVisitor) request.url = query ? `/${PAGE}?${query}` : `/${PAGE}`
  next()
}
