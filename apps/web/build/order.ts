import type { Plugin } from 'vite'

const FONT = /inter-latin-wght-normal.*\.woff2$/

/**
 * Load order: styles and fonts first, scripts after. The landing page's text is there at first paint, so its font is
 * preloaded; the app's text comes with its code, and its fallback font has the same width.
 */
export function loadingOrder(): Plugin {
  return {
    name: 'loading-order',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle, path }) {
        const scriptsLast = html.replaceAll(
          /<(script type="module"|link rel="modulepreload")/g,
          '<$1 fetchpriority="low"',
        )
        const font = path === '/landing.html' && Object.keys(bundle ?? {}).find((name) => FONT.test(name))
        const preload = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return font ? { html: scriptsLast, tags: [{ tag: 'link', attrs: preload, injectTo: 'head' }] } : scriptsLast
      },
    },
  }
}
