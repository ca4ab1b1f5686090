import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const SHAPES = '\0contract-shapes'

/**
 * The page lives by the contract's types, paths and constants; parsing is the server's work.
 * So the contract's Zod shapes are hollow in the browser, and Zod is not shipped.
 */
function contractWithoutShapes(): Plugin {
  return {
    name: 'contract-without-shapes',
    enforce: 'pre',
    resolveId: (source, importer) => (source === 'zod' && importer?.includes('/packages/contract/') ? SHAPES : undefined),
    load: (id) =>
      id === SHAPES
        ? `const refused = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])
           const refuse = () => { throw new Error('Shapes are not checked in the browser') }
           export const z = new Proxy(function () {}, { get: (_, key) => (refused.has(key) ? refuse : z), apply: () => z })`
        : undefined,
  }
}

/** The text is set in Inter from the first paint: its Latin file is asked for together with the styles. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle }) => {
        const file = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        return file
          ? [
              {
                tag: 'link',
                attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
                injectTo: 'head',
              },
            ]
          : []
      },
    },
  }
}

const backend = 'http://localhost:3000'

export default defineConfig(({ command }) => {
  // What is built is what ships, whoever builds it: a test runner's NODE_ENV must not bring in React's development code.
  if (command === 'build') process.env.NODE_ENV = 'production'
  return {
    plugins: [contractWithoutShapes(), react(), tailwindcss(), preloadFont()],
    server: { proxy: { '/api': backend, '/ws': { target: backend.replace('http', 'ws'), ws: true } } },
    preview: { proxy: { '/api': backend, '/ws': { target: backend.replace('http', 'ws'), ws: true } } },
    build: {
      // Everything is a file of its own: the content policy forbids inlined scripts and data.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        // What every screen needs comes in two files, libraries and our own, not in one for each icon.
        output: {
          codeSplitting: {
            groups: [
              { name: 'libraries', test: /node_modules\/(react|react-dom|scheduler|@tanstack)\//, priority: 2 },
              {
                name: 'base',
                test: /packages\/contract|lucide-react|src\/lib\/(?!phone|words\/en\/legal)|src\/ui\/(Button|Field|Input|Logo|Notice|Spinner|ThemeSwitch|toast|ToastHost)\./,
                priority: 1,
              },
              { name: 'way-in', test: /src\/features\/accounts\/(AuthLayout|GoogleButton|failure)\./ },
            ],
          },
        },
        treeshake: {
          manualPureFunctions: ['z', 'defineRoute'],
          moduleSideEffects: [{ test: /\/packages\/contract\//, sideEffects: false }],
        },
      },
    },
  }
})
