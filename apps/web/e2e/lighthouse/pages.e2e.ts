import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openStage, signInWithCalls, type Stage } from './testing.ts'

// Longer than 20 s: Lighthouse loads two pages and audits all that no machine changes.

const SCORE_MIN = 95
/** Categories that do not depend on the machine. Speed is measured by `npm run bench -- pages`. */
const CATEGORIES = ['accessibility', 'best-practices', 'seo']

/** No throttling, no waiting, no screenshot. */
const AS_IT_IS = {
  throttlingMethod: 'provided',
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 0,
  cpuQuietThresholdMs: 0,
  disableFullPageScreenshot: true,
} as const

let stage: Stage

beforeAll(async () => {
  stage = await openStage(inject('world'))
})
afterAll(() => stage.close())

async function expectGood(path: string): Promise<void> {
  const { categories } = await stage.audit(stage.parley.url + path, { onlyCategories: CATEGORIES, ...AS_IT_IS })
  for (const id of CATEGORIES)
    expect({ path, id, score: (categories[id]?.score ?? 0) * 100 }).toSatisfy(({ score }) => score >= SCORE_MIN)
}

// One page for visitors and one for members: axe reads every screen (apps/web/screens), pages.e2e.ts every heading.
test('landing page and dashboard score 95 or more in accessibility, best practices and SEO', async () => {
  await expectGood('/')
  await signInWithCalls(stage, 'lighthouse@parley.example')
  await expectGood('/dashboard')
}, 600_000)
