import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort, until } from '../../apps/standalone/src/world.ts'

/** Durations of the alerts are divided by it, as if metrics were read every minute in place of every 4 s. */
export const HURRY = 15
/** Above the 3 s that a figure may take. */
const SCRAPED_EVERY_SECONDS = 4

const Alerts = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }), state: z.string(), value: z.string() })),
  }),
})
const Answer = z.object({
  data: z.object({
    result: z.array(z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })),
  }),
})

export interface Prometheus {
  /** Of the first of its series; undefined while the alert does not fire. */
  firing(alert: string): Promise<{ readonly value: number } | undefined>
  /** What a panel would show: each series as text. */
  query(expression: string): Promise<string>
  stop(): Promise<void>
}

/** A real Prometheus with the alerts as they are delivered, in a hurry. */
export async function startPrometheus(
  alertsFile: string,
  targets: Readonly<Record<string, string>>,
): Promise<Prometheus> {
  const dir = await mkdtemp(join(tmpdir(), 'parley-prometheus-'))
  await writeFile(join(dir, 'alerts.yaml'), hurried(await readFile(alertsFile, 'utf8')))
  await writeFile(join(dir, 'prometheus.yaml'), configOf(targets))
  const address = `127.0.0.1:${await freePort()}`
  const flags = [`--config.file=${dir}/prometheus.yaml`, `--storage.tsdb.path=${dir}/data`]
  const program = process.env['PROMETHEUS'] ?? 'prometheus'
  const child = spawn(program, [...flags, `--web.listen-address=${address}`], { stdio: 'ignore' })
  const failed = new Promise<never>((_, reject) => {
    child.once('error', () =>
      reject(new Error(`${program} cannot be run: install Prometheus, or set PROMETHEUS to its path.`)),
    )
  })
  const ask = async (path: string): Promise<unknown> => (await fetch(`http://${address}${path}`)).json()
  const isReady = async () => (await fetch(`http://${address}/-/ready`).catch(() => undefined))?.ok === true
  await Promise.race([until('Prometheus to be ready', isReady), failed])
  return {
    async firing(alert) {
      const { alerts } = Alerts.parse(await ask('/api/v1/alerts')).data
      const found = alerts.find(({ labels, state }) => labels.alertname === alert && state === 'firing')
      return found && { value: Number(found.value) }
    },
    async query(expression) {
      const { result } = Answer.parse(await ask(`/api/v1/query?query=${encodeURIComponent(expression)}`)).data
      return result.map(({ value: [, value] }) => Number(Number(value).toFixed(3))).join(', ') || 'nothing'
    },
    async stop() {
      const gone = new Promise((done) => void child.once('exit', done))
      child.kill()
      await gone
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function configOf(targets: Readonly<Record<string, string>>): string {
  const jobs = Object.entries(targets).map(([name, target]) => ({
    job_name: name,
    static_configs: [{ targets: [target] }],
  }))
  const every = `${SCRAPED_EVERY_SECONDS}s`
  return JSON.stringify({
    global: { scrape_interval: every, scrape_timeout: every, evaluation_interval: '1s' },
    rule_files: ['alerts.yaml'],
    scrape_configs: jobs,
  })
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const

/** Its `for` and ranges, which need seconds enough for a rate. */
function hurried(alerts: string): string {
  const shorter = (count: string, unit: string) =>
    Math.ceil((Number(count) * SECONDS[unit === 's' || unit === 'h' ? unit : 'm']) / HURRY)
  return alerts
    .replaceAll(/for: (\d+)([smh])/g, (_, count: string, unit: string) => `for: ${shorter(count, unit)}s`)
    .replaceAll(/\[(\d+)([smh])\]/g, (_, count: string, unit: string) => `[${shorter(count, unit)}s]`)
}
