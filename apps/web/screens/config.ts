import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineBrowserCommand, playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { SHOWN } from './shown.ts'

// Component tests of the screens: a real browser, the app from its sources with React's production build, a fake server.

const HERE = dirname(fileURLToPath(import.meta.url))

const PACKAGES = [
  '@stripe/react-stripe-js',
  '@stripe/stripe-js/pure',
  '@tanstack/react-query',
  '@tanstack/react-router',
  'axe-core',
  'lean-qr',
  'lean-qr/extras/svg',
  'libphonenumber-js/core',
  'libphonenumber-js/metadata.min.json',
  'lucide-react',
  'papaparse',
  'radix-ui',
  'react',
  'react-dom',
  'react-dom/client',
  'react-hook-form',
  'react/jsx-runtime',
  'zod',
  'zustand',
  'zustand/vanilla',
]

/** Replaces the catalogue by one that records which of its messages were shown. */
function watchedWords(): Plugin {
  return {
    name: 'watched-words',
    enforce: 'pre',
    resolveId: {
      filter: { id: /^\.\/en\/(index|landing|shell)\.ts$/ },
      handler: (_, importer) =>
        /\/words\/(index|front)\.ts$/.test(importer ?? '') ? join(HERE, 'watchedWords.ts') : undefined,
    },
  }
}

const keepWords = defineBrowserCommand<[file: string, shown: readonly string[], all: readonly string[]]>(
  (_, file, shown, all) => {
    mkdirSync(dirname(SHOWN), { recursive: true })
    appendFileSync(SHOWN, `${JSON.stringify({ file, shown, all })}\n`)
  },
)

export const screens = (executablePath: string | undefined) => ({
  plugins: [watchedWords(), react(), tailwindcss()],
  root: fileURLToPath(new URL('..', import.meta.url)),
  // React as people get it: its development build takes several times as long to draw.
  oxc: { jsx: { runtime: 'automatic' as const, development: false } },
  optimizeDeps: {
    // Every dependency of the page: one discovered during the run would reload the page.
    include: PACKAGES,
    rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
  },
  test: {
    name: 'screens',
    include: ['screens/**/*.test.tsx'],
    globalSetup: join(HERE, 'setup.ts'),
    setupFiles: join(HERE, 'each.ts'),
    // Files share one page, which loads the app once.
    isolate: false,
    testTimeout: 60_000,
    expect: { poll: { timeout: 40_000 } },
    // After the other projects: running both at once takes longer than one after the other.
    sequence: { groupOrder: 1 },
    maxWorkers: 4,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      commands: { keepWords },
      provider: playwright({
        launchOptions: {
          ...(executablePath && { executablePath }),
          // Without V8's optimizing compilers: they take more time than they save.
          args: ['--no-sandbox', '--disable-gpu', '--js-flags=--max-lazy --no-maglev --no-turbofan'],
        },
        contextOptions: { reducedMotion: 'reduce' },
      }),
      instances: [{ browser: 'chromium' as const }],
    },
  },
})
