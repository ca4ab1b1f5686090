import { fileURLToPath } from 'node:url'
import { type Plugin, runnerImport } from 'vite'

const PAGE = 'index.html'
const RENDERER = fileURLToPath(new URL('../src/prerender.tsx', import.meta.url))
const FONT = /inter-latin-wght-normal.*\.woff2$/
/** The body of index.html until the page's code has loaded. */
const BOOT = /<!-- Stands until[\s\S]*?<\/svg>\s*<\/div>/
const NAMED = [/<html lang="[^"]*"/, /<title>[^<]*<\/title>/] as const

/** The first view of a screen in a language: src/app/shell/Frame.tsx as HTML. */
interface Frame {
  readonly path: string
  readonly language: string
  readonly title: string
  readonly html: string
}

/**
 * Writes a page per sidebar screen and language, frames/dashboard.es.html: index.html with the screen's heading. The
 * server sends it to likely members; the app draws the same until the session is known.
 */
export function screenFrames(): Plugin {
  return {
    name: 'screen-frames',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_, bundle) {
        const built = bundle[PAGE]
        const font = Object.keys(bundle).find((name) => FONT.test(name))
        if (built?.type !== 'asset' || !font) throw new Error(`The build has no ${PAGE} or no font`)
        const { frames } = (await runnerImport<{ frames: readonly Frame[] }>(RENDERER)).module
        for (const { path, language, title, html } of frames) {
          const source = put(String(built.source), [
            [NAMED[0], `<html lang="${language}"`],
            [NAMED[1], `<title>${title}</title>`],
            [BOOT, html],
            // Its text is visible from the first paint.
            ['</head>', `<link rel="preload" as="font" type="font/woff2" href="/${font}" crossorigin="">\n  </head>`],
          ])
          this.emitFile({ type: 'asset', fileName: `frames${path}.${language}.html`, source })
        }
      },
    },
  }
}

function put(html: string, parts: readonly (readonly [place: RegExp | string, text: string])[]): string {
  return parts.reduce((text, [place, put]) => {
    if (text.search(place) === -1) throw new Error(`${PAGE} has no ${String(place)}`)
    return text.replace(place, () => put)
  }, html)
}
