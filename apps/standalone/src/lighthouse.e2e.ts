import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import lighthouse from 'lighthouse'
import { throttling } from 'lighthouse/core/config/constants.js'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProfile } from './browser.ts'
import { openDatabase, type Running, runParley, signUp } from './testing.ts'

const REPORTS = fileURLToPath(new URL('../../../artifacts/lighthouse', import.meta.url))
const SCORE_MIN = 95
/** A moment of other work on this machine is not the page's fault. */
const RUNS_MAX = 3
const TASK_MAX_MS = 50
const SCROLL_STEPS = 40
const SCROLL_PX = 400
/** What a Moto G Power, the phone of the mobile profile, does of Lighthouse's own benchmark, as Chrome's calibration has it. */
const PHONE_INDEX = 264

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

type Scores = Readonly<Record<string, number>>

let parley: Running
let port: number
let folder: string
let visitor: BrowserContext

beforeAll(async () => {
  parley = await runParley({ SANDBOX_SPEED: '10' })
  folder = await mkdtemp(join(tmpdir(), 'parley-lighthouse-'))
  const opened = await openProfile(folder)
  visitor = opened.profile
  port = opened.port
})
afterAll(async () => {
  await visitor.close()
  await rm(folder, { recursive: true, force: true })
  await parley.dispose()
})

/** The best of a few runs, each category for itself; the reports are kept among the run's artifacts. */
async function scoresOf(path: string): Promise<Scores> {
  await mkdir(REPORTS, { recursive: true })
  let best: Scores = {}
  for (let run = 1; run <= RUNS_MAX && !isGood(best); run++) {
    const result = await lighthouse(parley.url + path, {
      port,
      logLevel: 'error',
      onlyCategories: [...CATEGORIES],
      throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier: await slowdown() },
    })
    if (!result) throw new Error('Lighthouse gave no result')
    const { categories, finalDisplayedUrl } = result.lhr
    await writeFile(join(REPORTS, `${path.slice(1) || 'landing'}-${run}.json`), JSON.stringify(result.lhr))
    expect(new URL(finalDisplayedUrl).pathname).toBe(path)
    best = Object.fromEntries(CATEGORIES.map((id) => [id, Math.max(best[id] ?? 0, Math.round((categories[id]?.score ?? 0) * 100))]))
  }
  return best
}

/** How much slower than this machine the phone is, as busy as the machine is now. Lighthouse's fixed four is for a fast desktop. */
async function slowdown(): Promise<number> {
  const page = await visitor.newPage()
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex)
  await page.close()
  return Math.min(throttling.mobileSlow4G.cpuSlowdownMultiplier, Math.max(1, index / PHONE_INDEX))
}

function isGood(scores: Scores): boolean {
  return CATEGORIES.every((id) => (scores[id] ?? 0) >= SCORE_MIN)
}

async function expectGood(path: string): Promise<void> {
  const scores = await scoresOf(path)
  expect({ path, scores, isGood: isGood(scores) }).toMatchObject({ isGood: true })
}

test.each(['/', '/login'])('a visitor finds %s good in all four categories, on a phone', (path) => expectGood(path), 240_000)

test('a member finds the dashboard and the history good in all four categories, on a phone', async () => {
  const person = await signUp(parley.url, 'lighthouse@parley.example')
  for (const callee of ['+12025550100', '+12025550103', '+12025550110', '+12025550101'])
    await person.place(callee, { maxDurationMinutes: 1 })
  for (const { id } of await person.get<{ id: string }[]>(`/api/user/${person.user.id}/calls`)) await person.ended(id, 60_000)
  const [name = '', value = ''] = person.cookie.split('=')
  await visitor.addCookies([{ name, value, url: parley.url }])
  await expectGood('/dashboard')
  await expectGood('/call-history')
}, 480_000)

/** The longest time that scrolling through the page kept it from anything else. */
async function longestWhileScrolling(page: Page): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
  })
  for (let step = 0; step < SCROLL_STEPS; step++) {
    await page.mouse.wheel(0, step < SCROLL_STEPS / 2 ? SCROLL_PX : -SCROLL_PX)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  return page.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks))
}

test('a history of thousands scrolls without a task over 50 ms', async () => {
  const person = await signUp(parley.url, 'scrolling@parley.example')
  const call = await person.place('+12025550101')
  await person.ended(call.id)
  const database = await openDatabase(parley)
  await database.pool.query(
    `insert into call select (jsonb_populate_record(null::call, to_jsonb(call) || jsonb_build_object('id', 'copy-' || n))).*
     from call, generate_series(1, 5000) n where call.id = $1`,
    [call.id],
  )
  await database.close()
  const [name = '', value = ''] = person.cookie.split('=')
  await visitor.addCookies([{ name, value, url: parley.url }])
  const page = await visitor.newPage()
  await page.goto(`${parley.url}/call-history`)
  await page.getByText('Showing 1 to 50 of 5,001 calls').waitFor()
  await page.waitForLoadState('networkidle')
  let longestMs = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS_MAX && longestMs > TASK_MAX_MS; run++) longestMs = await longestWhileScrolling(page)
  expect(longestMs).toBeLessThanOrEqual(TASK_MAX_MS)
  await page.close()
}, 120_000)
