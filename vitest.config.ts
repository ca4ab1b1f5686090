import { defineConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'

const unit = (name: string, root: string) => ({
  test: {
    name,
    root,
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
    environment: 'node' as const,
  },
})
const chromium = findChromium()

export default defineConfig({
  test: {
    projects: [
      unit('contract', 'packages/contract'),
      unit('api', 'apps/api'),
      unit('voice', 'apps/voice'),
      unit('web', 'apps/web'),
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
