import { type Preflight, systemRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, openScreen, serve } from '../testing.tsx'

const not = (obstacle: Preflight['obstacle'], testNumbers = false): Preflight => ({
  ready: false,
  obstacle,
  testNumbers,
})

describe('a form for calls, while calls cannot be placed', () => {
  test.each([
    ['voice_away', 'Calls cannot be started right now. You can fill in the form; try again in a moment.'],
    ['deaf', 'Real numbers cannot be called here yet: Parley has no speech recognition for phone lines.'],
    ['carrier_broken', 'The phone network takes no calls right now. Try again in a few minutes.'],
    ['dialing_off', 'New calls are paused for the moment. Try again later.'],
    ['storage_full', 'Calls cannot be started right now: there is no room to keep them. Try again later.'],
  ] as const)('says why: %s', async (obstacle, sentence) => {
    serve().answer(systemRoutes.preflight, not(obstacle))
    await openScreen('/make-call')
    await expectTexts([sentence])
    expect(page.getByText('Test numbers from').query()).toBeNull()
  })

  test.each(['/dashboard', '/make-call', '/make-call?tab=batch'])('says it on %s', async (path) => {
    serve().answer(systemRoutes.preflight, not('carrier_broken'))
    await openScreen(path)
    await expect.element(page.getByRole('status').filter({ hasText: 'The phone network takes no calls' })).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('names the test numbers where they can be called', async () => {
    serve().answer(systemRoutes.preflight, not('deaf', true))
    await openScreen('/make-call')
    await expectTexts(['Test numbers from +1 202 555 0100 to 0199 work, free of charge.'])
  })

  test('says nothing when calls can be placed, or when that is not known', async () => {
    const api = serve()
    api.lose(systemRoutes.preflight)
    await openScreen('/make-call')
    await expect.element(page.getByLabelText('Phone Number')).toBeVisible()
    await expect.poll(() => api.requests(systemRoutes.preflight).length).toBeGreaterThan(2)
    expect(page.getByText('right now').query()).toBeNull()
    api.answer(systemRoutes.preflight, { ready: true, obstacle: null, testNumbers: false })
    await openScreen('/dashboard')
    await expect.element(page.getByLabelText('Phone Number')).toBeVisible()
    expect(page.getByText('right now').query()).toBeNull()
  })
})
