import { defineConfig, type TestUserConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { screens } from './apps/web/screens/config.ts'
import { findChromium, findHeadlessShell } from './scripts/chromium.mjs'
import { compileCache } from './scripts/install.mjs'
import { scratchInMemory } from './scripts/memory.mjs'

scratchInMemory()
process.env['NODE_COMPILE_CACHE'] ??= compileCache.NODE_COMPILE_CACHE

const unit = (
  name: string,
  root: string,
  more: { include?: string[]; globalSetup?: string; provide?: { databaseUrl: string } } = {},
) => ({
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    name,
    root,
    setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
    environment: 'node' as const,
    // The files of a worker share their modules: what a room imports is read once, not once for each file.
    isolate: false,
    // A test waits for facts, not for time: the bounds are for a machine that does everything at once.
    expect: { poll: { timeout: 40_000 } },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One room alone: each worker imports it anew, so few are faster. `npm test` says how many for all.
    maxWorkers: Number(process.env['ROOM_WORKERS'] ?? 3),
    ...more,
  },
})

/** Two clusters, and one worker for what goes beside them. */
const CLUSTER_GROUP = { maxWorkers: 3, sequence: { groupOrder: 4 } }

/** The parts of a cluster wait for each other and for calls: what only computes takes the time that they leave. */
const besideClusters = (name: string, root: string, more: Parameters<typeof unit>[2] = {}) => {
  const { test } = unit(name, root, more)
  const setupFiles = [...test.setupFiles, new URL('vitest.idle.ts', import.meta.url).pathname]
  const patient = { testTimeout: 300_000, hookTimeout: 300_000 }
  return { test: { ...test, ...CLUSTER_GROUP, ...patient, setupFiles } }
}

const chromium = findChromium()
const headlessShell = findHeadlessShell()
const databaseUrl = process.env['DATABASE_URL']
const databaseSetup = new URL('apps/api/src/credits/testing.ts', import.meta.url).pathname
/**
 * What can differ between two servers: migrations, the ledger, jobs, locks, and what PostgreSQL itself sorts and counts
 * by zone.
 */
const perServer = [
  'src/outage.test.ts',
  'src/batches/{crash,pacing/concurrency}.test.ts',
  'src/calls/sound.test.ts',
  'src/calls/nodes/leases.test.ts',
  'src/contacts/contacts.test.ts',
  'src/credits/ledger/*.test.ts',
  'src/platform/{jobs,platform}.test.ts',
  'src/migrate.test.ts',
  'src/platform/database/{apply,migrat*,replay}.test.ts',
  'src/reports/*.test.ts',
]
/**
 * The api's rooms run on the embedded PostgreSQL, and what depends on it once more on the server of DATABASE_URL where
 * one is given.
 */
const api = [
  unit('api', 'apps/api', { globalSetup: databaseSetup }),
  ...(databaseUrl
    ? [
        unit('api on DATABASE_URL', 'apps/api', {
          include: perServer,
          globalSetup: databaseSetup,
          provide: { databaseUrl },
        }),
      ]
    : []),
]

/**
 * Whole products and browsers, after the quick projects. Much of a journey is waiting, so four go side by side on two
 * processors.
 */
const whole = (name: string, more: Pick<TestUserConfig, 'include' | 'exclude' | 'maxWorkers' | 'sequence'>) => ({
  test: {
    ...more,
    name,
    root: '.',
    globalSetup: new URL('apps/standalone/src/testing-build.ts', import.meta.url).pathname,
    setupFiles: [new URL('vitest.setup.ts', import.meta.url).pathname],
    environment: 'node' as const,
    isolate: false,
    expect: { poll: { timeout: 40_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: chromium && headlessShell ? { CHROMIUM_PATH: chromium, HEADLESS_SHELL_PATH: headlessShell } : {},
  },
})

/** Files of half a minute and more: begun last, they would run on alone after all others. */
const LONGEST = new RegExp(
  `/(?:${[
    'backups|carriers/(?:sip|twilio)/conformance|twilio/soak|sip/media/session|src/server|src/sound',
    'card-form|every-screen',
    'rehearsal',
  ].join('|')})\\.test\\.tsx?$|/(?:${[
    'batch-crash|by-itself|chaos|crash|ears|lawful|nodes|pages|payments|payments-crash|real-wire|shell|supervisor|upgrade|voices|weight',
  ].join('|')})\\.e2e\\.ts$`,
)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Each starts a cluster of many processes. */
const CLUSTERS = ['apps/standalone/src/chaos/chaos.e2e.ts', 'apps/standalone/src/upgrade/upgrade.e2e.ts']

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      besideClusters('contract', 'packages/contract'),
      ...api,
      besideClusters('voice-ports', 'packages/voice-ports'),
      besideClusters('offline-mind', 'packages/offline-mind'),
      unit('sandbox', 'packages/sandbox'),
      besideClusters('traces', 'packages/traces'),
      unit('voice', 'apps/voice'),
      besideClusters('web', 'apps/web'),
      besideClusters('mobile', 'apps/mobile'),
      besideClusters('deploy', 'deploy', { include: ['*.test.ts'] }),
      unit('bench', 'bench', { include: ['*/*.test.ts'], globalSetup: databaseSetup }),
      screens(headlessShell ?? chromium),
      {
        test: {
          name: 'words',
          root: 'apps/web',
          include: ['screens/every-message.check.ts'],
          environment: 'node',
          sequence: { groupOrder: 3 },
        },
      },
      whole('standalone', {
        include: ['apps/standalone/src/**/*.{test,e2e}.ts', 'apps/web/e2e/**/*.e2e.ts'],
        exclude: CLUSTERS,
        maxWorkers: 5,
        sequence: { groupOrder: 2 },
      }),
      // Apart: that many processes would make calls at the speed of speech late. They need no pages and no world.
      {
        test: {
          ...whole('clusters', { include: CLUSTERS, ...CLUSTER_GROUP }).test,
          globalSetup: [],
        },
      },
    ],
  },
})
