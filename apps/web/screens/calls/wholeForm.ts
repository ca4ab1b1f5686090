import { callsRoutes, type Mandate, type ObjectiveReading } from '@parley/contract'
import { expect } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { bodiesOf, type FakeApi, openScreen, press, serve } from '../testing.tsx'
import { aRunningCall, withCredits } from './testing.tsx'

// The form of Make Call, with what may be agreed to and private values.

export const TABLE = 'Table at 7 pm, or up to 8:30'
export const MENU = 'Vegetarian menu'
export const EVENING: Mandate = { rule: 'within_limits', limits: { timeFrom: '19:00', timeTo: '20:30' } }
export const READ: ObjectiveReading = { mandate: EVENING, understood: '7 pm, or up to 8:30 pm' }

export const notices = () => page.getByRole('region', { name: /^Notifications/ })
export const choices = (objective: string) => page.getByRole('group', { name: `What may be agreed to: ${objective}` })
export const choose = (objective: string, rule: string) => choices(objective).getByRole('radio', { name: rule }).click()
export const field = (name: string) => page.getByLabelText(name, { exact: true })

/** A server that places calls. */
export function serveForm(): FakeApi {
  const api = serve(withCredits('40'))
  api.answer(callsRoutes.place, () => aRunningCall({ id: 'placed' }))
  api.answer(callsRoutes.get, () => aRunningCall({ id: 'placed' }))
  return api
}

export async function openForm(...objectives: readonly string[]): Promise<void> {
  await openScreen('/make-call')
  await page.getByLabelText('Phone Number').fill('+1 202 555 0100')
  await page.getByLabelText('Purpose').fill('Book a table')
  for (const objective of objectives) {
    await page.getByLabelText(/^Objectives/).fill(objective)
    await userEvent.keyboard('{Enter}')
  }
}

/** The body of the call that the form places. */
export async function placedBy(api: FakeApi): Promise<unknown> {
  await press('Start Call')
  await expect.poll(() => api.requests(callsRoutes.place).length).toBeGreaterThan(0)
  return bodiesOf(api.requests(callsRoutes.place)).at(-1)
}
