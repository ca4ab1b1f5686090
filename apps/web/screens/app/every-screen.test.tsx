import { type PagePath, PAGES } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { findingsInLooks, openScreen, serve } from '../testing.tsx'

const PATHS = Object.keys(PAGES) as PagePath[]

describe('before anything has been done', () => {
  test.each(PATHS)('%s is drawn at both widths and in both colours, without an objection of axe', async (path) => {
    serve(PAGES[path] === 'signed-in' ? undefined : null)
    await openScreen(path)
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(await findingsInLooks()).toEqual([])
  })
})
