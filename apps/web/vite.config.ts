import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './build/chunks.ts'
import { compressedFiles } from './build/compressed.ts'
import { contractWithoutShapes } from './build/contract.ts'
import { prerenderLanding } from './build/landing.ts'
import { slimPhonePlans } from './build/phone-plans.ts'
import { pagePreloads } from './build/preloads.ts'

const PRELOAD = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '' }

/** The text is set in Inter from the first paint: its Latin file is asked for together with the styles. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle, path }) => {
        const file = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
        return file
          ? [
              {
                tag: 'link',
                // The app's code comes first: until Inter is here, its stand-in is as wide.
                attrs: { ...PRELOAD, href: `/${file}`, ...(path === '/index.html' && { fetchpriority: 'low' }) },
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
    plugins: [
      contractWithoutShapes(),
      slimPhonePlans(),
      react(),
      tailwindcss(),
      preloadFont(),
      prerenderLanding(),
      pagePreloads(),
      compressedFiles(),
    ],
    server: { proxy: { '/api': backend, '/ws': { target: backend.replace('http', 'ws'), ws: true } } },
    preview: { proxy: { '/api': backend, '/ws': { target: backend.replace('http', 'ws'), ws: true } } },
    build: {
      // Everything is a file of its own: the content policy forbids inlined scripts and data.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        input: ['index.html', 'landing.html'],
        output: { codeSplitting: { groups: chunks } },
        treeshake: {
          manualPureFunctions: ['z', 'defineRoute'],
          moduleSideEffects: [{ test: /\/packages\/contract\//, sideEffects: false }],
        },
      },
    },
  }
})
