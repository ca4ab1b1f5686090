import { defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'

const unit = (name: string, root: string, more: { globalSetup?: string; provide?: { databaseUrl: string } } = {}) => ({
  test: {
    ...more,
    name,
    root,
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
    environment: 'node' as const,
    // A test waits for facts, not for time: the bound is for a machine that does everything at once.
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
const chromium = findChromium()
const databaseUrl = process.env['DATABASE_URL']
const databaseSetup = new URL('apps/api/src/platform/testing.ts', import.meta.url).pathname
/** The api's rooms run on the embedded PostgreSQL, and once more on the server of DATABASE_URL where one is given. */
const api = [
  unit('api', 'apps/api', { globalSetup: databaseSetup }),
  ...(databaseUrl ? [unit('api on DATABASE_URL', 'apps/api', { globalSetup: databaseSetup, provide: { databaseUrl } })] : []),
]

export default defineConfig({
  test: {
    projects: [
      unit('contract', 'packages/contract'),
      ...api,
      unit('voice', 'apps/voice'),
      unit('web', 'apps/web'),
      unit('mobile', 'apps/mobile'),
      {
        test: {
          name: 'standalone',
          root: 'apps/standalone',
          include: ['src/**/*.{test,e2e}.ts'],
          setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
          environment: 'node',
          // Whole products with a browser each: one at a time, after the quick projects.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          hookTimeout: 120_000,
          env: chromium ? { CHROMIUM_PATH: chromium } : {},
        },
      },
    ],
  },
})
