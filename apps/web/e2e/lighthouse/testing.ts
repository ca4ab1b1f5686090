import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import lighthouse, { type Config, type Flags, type Result } from 'lighthouse'
import { throttling } from 'lighthouse/core/config/constants.js'
import { pageFunctions } from 'lighthouse/core/lib/page-functions.js'
import type { BrowserContext, Page } from 'playwright-core'
import { openProfile } from '../../../standalone/src/browser.ts'
import { openDatabase } from '../../../standalone/src/testing.ts'
import { type Person, type Running, signUp, type World } from '../../../standalone/src/world.ts'

/** A running Parley, and a browser that Lighthouse can join. */
export interface Stage {
  readonly parley: World
  readonly visitor: BrowserContext
  /** The Lighthouse result of a page. */
  audit(url: string, flags: Flags, config?: Config): Promise<Result>
  close(): Promise<void>
}

/** `dispose`: stops a world that belongs to the stage. */
export async function openStage(parley: World & Partial<Pick<Running, 'dispose'>>): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-lighthouse-'))
  const { profile, port } = await openProfile(folder)
  return {
    parley,
    visitor: profile,
    async audit(url, flags, config) {
      const result = await lighthouse(url, { port, logLevel: 'error', ...flags }, config)
      if (!result) throw new Error('Lighthouse gave no result')
      const { finalDisplayedUrl } = result.lhr
      if (finalDisplayedUrl !== url) throw new Error(`Lighthouse asked for ${url} and was led to ${finalDisplayedUrl}`)
      return result.lhr
    },
    async close() {
      await profile.close()
      await rm(folder, { recursive: true, force: true })
      await parley.dispose?.()
    },
  }
}

/** A user with calls of several outcomes, signed in in the visitor's browser. */
export async function signInWithCalls({ parley, visitor }: Stage, email: string): Promise<Person> {
  const person = await signUp(parley.url, email)
  for (const callee of ['+12025550100', '+12025550103', '+12025550110', '+12025550101'])
    await person.place(callee, { maxDurationMinutes: 1 })
  for (const { id } of await person.get<{ id: string }[]>(`/api/user/${person.user.id}/calls`))
    await person.ended(id, 60_000)
  const [name = '', value = ''] = person.cookie.split('=')
  await visitor.addCookies([{ name, value, url: parley.url }])
  return person
}

/** Adds copies of each existing call. */
async function copyCalls({ parley }: Stage, copies: number): Promise<void> {
  const database = await openDatabase(parley)
  await database.pool.query(
    `insert into call select copy.* from call, generate_series(1, $1) n,
       jsonb_populate_record(call, jsonb_build_object('id', call.id || '-copy-' || n)) copy`,
    [copies],
  )
  await database.close()
}

const RUNS = 3
const SCROLL_STEPS = 40
const SCROLL_PX = 400
const CALLS_SCROLLED = 5000
/** Lighthouse's benchmark index of a Moto G Power, the phone of the mobile profile, from Chrome's calibration. */
const PHONE_INDEX = 264

const METRICS = [
  'first-contentful-paint',
  'largest-contentful-paint',
  'total-blocking-time',
  'cumulative-layout-shift',
] as const
type Figures = Readonly<Record<(typeof METRICS)[number] | 'score', number>>

/** CPU slowdown from this machine, as busy as it is, to that phone. Lighthouse's fixed 4 assumes a fast desktop. */
async function slowdown(visitor: BrowserContext): Promise<number> {
  const page = await visitor.newPage()
  const index = await page.evaluate(pageFunctions.computeBenchmarkIndex)
  await page.close()
  return Math.min(throttling.mobileSlow4G.cpuSlowdownMultiplier, Math.max(1, index / PHONE_INDEX))
}

/** The best of RUNS audits, with Lighthouse's mobile profile on slow 4G. */
export async function measure(stage: Stage, url: string): Promise<Figures> {
  const runs: Figures[] = []
  for (let run = 0; run < RUNS; run++) {
    const { categories, audits } = await stage.audit(url, {
      onlyCategories: ['performance'],
      throttling: { ...throttling.mobileSlow4G, cpuSlowdownMultiplier: await slowdown(stage.visitor) },
    })
    const of = (id: string): number => audits[id]?.numericValue ?? Number.NaN
    runs.push({
      score: Math.round((categories['performance']?.score ?? 0) * 100),
      'first-contentful-paint': of('first-contentful-paint'),
      'largest-contentful-paint': of('largest-contentful-paint'),
      'total-blocking-time': of('total-blocking-time'),
      'cumulative-layout-shift': of('cumulative-layout-shift'),
    })
  }
  // The best run: other work on this machine must not count.
  const [best] = runs.toSorted((a, b) => b.score - a.score)
  if (!best) throw new Error('nothing was measured')
  return best
}

/** One line of metrics, with the largest paint relative to the reference. */
export function lineOf(name: string, figures: Figures, reference: Figures): string {
  const ratio = (figures['largest-contentful-paint'] / reference['largest-contentful-paint']).toFixed(2)
  const shown = METRICS.map((id) => `${id} ${figures[id].toFixed(id === 'cumulative-layout-shift' ? 3 : 0)}`).join(', ')
  return `${name.padEnd(14)} score ${figures.score}; ${shown}; largest paint ${ratio} of the reference`
}

/** The longest task while scrolling through the page, in ms. */
async function longestWhileScrolling(page: Page): Promise<number> {
  await page.evaluate(() => {
    const tasks: number[] = []
    Object.assign(globalThis, { tasks })
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  for (let step = 0; step < SCROLL_STEPS; step++) {
    await page.mouse.wheel(0, step < SCROLL_STEPS / 2 ? SCROLL_PX : -SCROLL_PX)
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)))
  }
  return page.evaluate(() => Math.max(0, ...(globalThis as unknown as { tasks: number[] }).tasks))
}

/** Compares the longest scroll task of a long history with that of a short one. */
export async function scroll(stage: Stage): Promise<string> {
  const longest: number[] = []
  for (const copies of [0, CALLS_SCROLLED / 4]) {
    if (copies > 0) await copyCalls(stage, copies)
    const page = await stage.visitor.newPage()
    await page.goto(`${stage.parley.url}/call-history`)
    await page.getByText(/^Showing 1 to/).waitFor()
    await page.waitForLoadState('networkidle')
    const runs: number[] = []
    for (let run = 0; run < RUNS; run++) runs.push(await longestWhileScrolling(page))
    longest.push(Math.min(...runs))
    await page.close()
  }
  const [few = 0, many = 0] = longest
  return `scrolling      longest task ${many.toFixed(0)} ms with ${CALLS_SCROLLED} calls, ${few.toFixed(0)} ms with 4 (0: none over 50 ms)`
}
