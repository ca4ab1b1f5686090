import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openStage, signInWithCalls, type Stage } from './testing.ts'

const SCORE_MIN = 95
/** What no machine changes. How fast a page is on a phone is measured by `npm run bench -- pages`. */
const CATEGORIES = ['accessibility', 'best-practices', 'seo']

/** Not as on a phone, not watched for how long it works, and without a picture. */
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

// One page for visitors and one for members: axe reads every screen (apps/web/screens), and pages.e2e.ts the head of
// every page.
test('landing page and dashboard score 95 or more in accessibility, best practices and SEO', async () => {
  await expectGood('/')
  await signInWithCalls(stage, 'lighthouse@parley.example')
  await expectGood('/dashboard')
}, 180_000)
