import { defineConfig, type TestUserConfig } from 'vitest/config'
import { findChromium } from './scripts/chromium.mjs'

const unit = (name: string, root: string, more: { globalSetup?: string; provide?: { databaseUrl: string } } = {}) => ({
  test: {
    ...more,
    name,
    root,
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
    environment: 'node' as const,
    // A test waits for facts, not for time: the bounds are for a machine that does everything at once.
    expect: { poll: { timeout: 15_000 } },
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

const MEASURED = 'src/lighthouse.e2e.ts'
/** Whole products with a browser each, after the quick projects. Much of a journey is waiting, so two go side by side. */
const whole = (name: string, more: Pick<TestUserConfig, 'include' | 'exclude' | 'maxWorkers' | 'fileParallelism' | 'sequence'>) => ({
  test: {
    ...more,
    name,
    root: 'apps/standalone',
    globalSetup: new URL('apps/standalone/src/testing-build.ts', import.meta.url).pathname,
    setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
    environment: 'node' as const,
    expect: { poll: { timeout: 20_000 } },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    env: chromium ? { CHROMIUM_PATH: chromium } : {},
  },
})

export default defineConfig({
  test: {
    projects: [
      unit('contract', 'packages/contract'),
      ...api,
      unit('voice', 'apps/voice'),
      unit('web', 'apps/web'),
      unit('mobile', 'apps/mobile'),
      whole('standalone', { include: ['src/**/*.{test,e2e}.ts'], exclude: [MEASURED], maxWorkers: 2, sequence: { groupOrder: 1 } }),
      // What is measured has the machine to itself.
      whole('measured', { include: [MEASURED], fileParallelism: false, sequence: { groupOrder: 2 } }),
    ],
  },
})
