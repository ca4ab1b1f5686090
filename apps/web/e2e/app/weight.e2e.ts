import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type PagePath, PAGES } from '@parley/contract'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { NARROW, visit, visitAs, WIDE } from '../../../standalone/src/browser.ts'
import { joinWorld } from '../testing.ts'
import { type Person, signUp } from '../../../standalone/src/world.ts'

// Longer than 20 s: every page is loaded at two widths until its network is idle.

/** Gzipped script in total until the network is idle. */
const LANDING_MAX_BYTES = 110_000
const PAGE_MAX_BYTES = 220_000
const REACT_BYTES = 60_000
const SHIFT_MAX = 0.02
/** Long enough to draw what has arrived. */
const BETWEEN_PARTS_MS = 500

const { parley, browser } = await joinWorld()
let person: Person

beforeAll(async () => {
  person = await signUp(parley.url, 'weight@parley.example')
  // A page with data loads more code than an empty one.
  await person.send('POST', '/api/contacts', { userId: person.user.id, name: 'Trattoria', phone: '+12025550100' })
  const calls = [await person.place('+12025550100', { maxDurationMinutes: 1 }), await person.place('+12025550101')]
  for (const { id } of calls) await person.ended(id, 60_000)
})

/** Every script of a first visit with its gzipped size. */
async function scriptsOf(page: Page, path: string): Promise<{ url: string; bytes: number }[]> {
  const urls = new Set<string>()
  page.on('request', (request) => {
    if (request.resourceType() === 'script' || /\.js(\?|$)/.test(request.url())) urls.add(request.url())
  })
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  return Promise.all(
    [...urls].map(async (url) => ({ url: url.replace(parley.url, ''), bytes: await gzippedBytes(url) })),
  )
}

/** The cumulative layout shift as the browser measures it. */
async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const sum = (entries: readonly PerformanceEntry[]) =>
          entries.reduce(
            (total, entry) => total + ('value' in entry && typeof entry.value === 'number' ? entry.value : 0),
            0,
          )
        new PerformanceObserver((list) => resolve(sum(list.getEntries()))).observe({
          type: 'layout-shift',
          buffered: true,
        })
        // Without a layout shift the observer reports nothing before the next frame.
        requestAnimationFrame(() => setTimeout(() => resolve(0)))
      }),
  )
}

/** Parley for a visitor whose connection brings a page in two parts; `first` is the share of its bytes that come at once. */
async function startInParts(first: number): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    const passOn = async () => {
      const answer = await fetch(parley.url + request.url, { headers: { accept: request.headers.accept ?? '*/*' } })
      const body = Buffer.from(await answer.arrayBuffer())
      const type = answer.headers.get('content-type') ?? ''
      response.writeHead(answer.status, { 'content-type': type })
      if (!type.startsWith('text/html')) return response.end(body)
      const until = Math.round(body.length * first)
      response.write(body.subarray(0, until))
      setTimeout(() => response.end(body.subarray(until)), BETWEEN_PARTS_MS)
    }
    passOn().catch((error: Error) => response.destroy(error))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return { url: `http://localhost:${address.port}`, server }
}

async function gzippedBytes(url: string): Promise<number> {
  const { headers } = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
  const bytes = Number(headers.get('content-length'))
  if (!(bytes > 0)) throw new Error(`${url} has no length`)
  return bytes
}

test.each(Object.keys(PAGES) as PagePath[])('%s stays within its script size and layout shift limits', async (path) => {
  const isForMembers = PAGES[path] === 'signed-in'
  const { page } = await (isForMembers ? visitAs(browser, parley.url, person) : visit(browser, parley.url))
  const scripts = await scriptsOf(page, path)
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
  // A total below React's own size means that scripts were missed.
  expect(total).toBeGreaterThan(REACT_BYTES)
  const isTooHeavy = total > (path === '/' ? LANDING_MAX_BYTES : PAGE_MAX_BYTES)
  const heaviestFirst = scripts.toSorted((one, other) => other.bytes - one.bytes)
  expect({ total, tooHeavy: isTooHeavy ? heaviestFirst : [] }).toEqual({ total, tooHeavy: [] })
  expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX)
  await page.setViewportSize(NARROW)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX)
  await page.context().close()
})

test.each([
  { viewport: WIDE, first: 0.6 },
  { viewport: NARROW, first: 0.45 },
])(
  'the landing page does not shift when it arrives in two parts, at $viewport.width px',
  async ({ viewport, first }) => {
    const { url, server } = await startInParts(first)
    const { page } = await visit(browser, url, { viewport })
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(await shiftOf(page)).toBeLessThanOrEqual(SHIFT_MAX)
    await page.context().close()
    server.close()
  },
)
