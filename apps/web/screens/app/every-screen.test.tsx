import { type PagePath, PAGES } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { findingsInLooks, openScreen, serve } from '../testing.tsx'

const PATHS = Object.keys(PAGES) as PagePath[]

describe('for a new account', () => {
  test.each(PATHS)('%s has no axe findings at both widths and in both themes', async (path) => {
    serve(PAGES[path] === 'signed-in' ? undefined : null)
    await openScreen(path)
    await expect.element(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    expect(await findingsInLooks()).toEqual([])
  })
})
