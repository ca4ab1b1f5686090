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
  for (const id of CATEGORIES) expect({ path, id, score: (categories[id]?.score ?? 0) * 100 }).toSatisfy(({ score }) => score >= SCORE_MIN)
}

test('gives landing and login 95 or more in accessibility, best practices and SEO', async () => {
  await expectGood('/')
  await expectGood('/login')
}, 120_000)

test('gives dashboard and history 95 or more in accessibility, best practices and SEO', async () => {
  await signInWithCalls(stage, 'lighthouse@parley.example')
  await expectGood('/dashboard')
  await expectGood('/call-history')
}, 180_000)
