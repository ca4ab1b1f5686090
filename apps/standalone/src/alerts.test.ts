import { existsSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const text = (path: string) => readFileSync(join(ROOT, path), 'utf8')

const Alerts = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string(),
          expr: z.string(),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
})
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) })),
})

const alerts = Alerts.parse(parse(text('deploy/prometheus/alerts.yaml'))).groups.flatMap(({ rules }) => rules)
const { panels } = Dashboard.parse(JSON.parse(text('deploy/grafana/parley.json')))

/** Where figures of our own are named. */
const SOURCES = [
  'apps/api/src/platform/metrics/metrics.ts',
  'apps/api/src/platform/metrics/queue.ts',
  'apps/api/src/batches/pacing/figures.ts',
  'apps/api/src/calls/nodes/figures.ts',
  'apps/api/src/credits/figures.ts',
  'apps/api/src/notices/figures.ts',
  'apps/voice/src/metrics/metrics.ts',
]
const own = new Set(SOURCES.flatMap((path) => [...text(path).matchAll(/'(parley_\w+[a-z])'/g)].map(([, name]) => name)))
/** Of a histogram, and of the process itself. */
const bare = (name: string) => name.replace(/_(bucket|count|sum)$/, '')
const isKnown = (name: string) =>
  own.has(name) || own.has(bare(name)) || /^parley_(api|voice)_(nodejs|process)_/.test(name)

test.each([
  ...alerts.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
])('%s asks for figures that there are: %s', (_, expr) => {
  const names = expr.match(/\bparley_\w+/g) ?? []
  expect(names.length + (expr.startsWith('up{') ? 1 : 0)).toBeGreaterThan(0)
  expect(names.filter((name) => !isKnown(name))).toEqual([])
})

test('each figure of our own is in an alert or on the dashboard', () => {
  const used = JSON.stringify([alerts, panels])
  expect([...own].filter((name) => !used.includes(String(name)))).toEqual([])
})

test('each alert has a page of its own, with what to look at, what to mend and its last drill, and each page an alert', async () => {
  for (const { alert, annotations } of alerts) {
    expect([alert, existsSync(join(ROOT, annotations.runbook))]).toEqual([alert, true])
    const page = text(annotations.runbook)
    expect(page).toMatch(
      new RegExp(
        `^# ${annotations.summary}\n\n\`${alert}\`: .+\n[^]+\n## Look\n[^]+\n## Mend\n[^]+\n## Drill\n\n20\\d\\d-`,
      ),
    )
  }
  const pages = await readdir(join(ROOT, 'docs/runbooks'))
  const ofAlerts = new Set(alerts.map(({ annotations }) => annotations.runbook.split('/').at(-1)))
  const others = pages.filter((page) => !ofAlerts.has(page))
  for (const page of others) expect(text(`docs/runbooks/${page}`)).not.toContain('somebody is called')
})
