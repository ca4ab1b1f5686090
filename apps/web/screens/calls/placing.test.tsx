import { callsRoutes, type ErrorCode } from '@parley/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADA, axeFindings, bodiesOf, expectTexts, type FakeApi, listed, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, answerHealth, aRunningCall, withCredits } from './testing.tsx'

const notices = () => page.getByRole('region', { name: /^Notifications/ })
const question = () => page.getByRole('alertdialog', { name: 'Call at this hour?' })

const ORDER = {
  userId: ADA.id,
  callee: '+1 202 555 0100',
  purpose: 'Book a table',
  objectives: ['A table at 7 pm'],
  tone: 'professional',
  maxDurationMinutes: 10,
  context: { party: 2 },
  language: 'auto',
}

/** Opens the form with every field filled. */
async function fillIn(): Promise<FakeApi> {
  const api = serve(withCredits('40'))
  await openScreen('/make-call')
  await page.getByLabelText('Phone Number').fill(ORDER.callee)
  await page.getByLabelText('Purpose').fill(ORDER.purpose)
  // An objective that was typed but not added counts.
  await page.getByLabelText(/^Objectives/).fill('A table at 7 pm')
  await page.getByLabelText(/^Context/).fill('{"party": 2}')
  return api
}

// screens.md: call-placed-opens-form
test('a placed call opens its view and clears the form', async () => {
  const api = await fillIn()
  const placed = aRunningCall({ status: 'initiated', phase: 'queued', connectedAt: null, turns: [] })
  api.answer(callsRoutes.place, listed(placed))
  const letGo = api.hold(callsRoutes.place)
  await press('Start Call')
  const starting = page.getByRole('button', { name: 'Starting Call...' })
  await expect.element(starting).toHaveAttribute('aria-disabled', 'true')
  await starting.click({ force: true })
  expect(await axeFindings()).toEqual([])
  answerCalls(api, () => [placed])
  letGo()
  await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  expect(bodiesOf(api.requests(callsRoutes.place))).toEqual([ORDER])
  await press('Leave the call running and close this view')
  await expect.element(page.getByLabelText('Purpose')).toHaveValue('')
  await expect.element(page.getByLabelText('Phone Number')).toHaveValue('')
})

// screens.md: server-against-call-said
test.each(['insufficient_credits', 'do_not_call', 'dialing_off', 'rate_limited'] as const)(
  'a refusal (%s) shows the server’s message and keeps the form',
  async (code) => {
    const api = await fillIn()
    api.refuse(callsRoutes.place, code, { message: 'This is against it.' })
    await press('Start Call')
    await expectTexts(['Error', 'This is against it.'], notices())
    await expect.element(page.getByLabelText('Purpose')).toHaveValue(ORDER.purpose)
    expect(bodiesOf(api.requests(callsRoutes.place))).toEqual([ORDER])
  },
)

test.each([
  ['number_invalid', 'callee', 'Phone Number'],
  ['invalid_input', 'maxDurationMinutes', 'Max Duration (minutes)'],
  ['secret_in_order', 'context', /^Context/],
  ['secret_in_order', 'objectives', /^Objectives/],
  ['invalid_input', 'language', 'Language'],
] as const)('a refusal (%s) about %s is shown at the field too', async (code: ErrorCode, field, label) => {
  const api = await fillIn()
  api.refuse(callsRoutes.place, code, { field, message: 'This will not do.' })
  await press('Start Call')
  await expectTexts(['This will not do.'], notices())
  await expect
    .element(page.getByLabelText(label))
    .toHaveAccessibleDescription(expect.stringContaining('This will not do.'))
})

test('a refused number has the focus', async () => {
  const api = await fillIn()
  api.refuse(callsRoutes.place, 'number_invalid', { field: 'callee', message: 'That is no number.' })
  await press('Start Call')
  await expect.element(page.getByLabelText('Phone Number')).toHaveFocus()
  expect(await axeFindings()).toEqual([])
})

// screens.md: where-call-could-started
test.each([
  ['the response is empty', (api: FakeApi) => api.send(callsRoutes.place, '', { status: 500 })],
  ['the server cannot be reached', (api: FakeApi) => api.lose(callsRoutes.place)],
])('when %s, the form shows a failure and can be sent again', async (_, fail) => {
  const api = await fillIn()
  answerHealth(api)
  fail(api)
  await press('Start Call')
  await expectTexts(['Error', 'Failed to start call.'], notices())
  const placed = aRunningCall()
  api.answer(callsRoutes.place, listed(placed))
  answerCalls(api, () => [placed])
  await press('Start Call')
  await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  expect(bodiesOf(api.requests(callsRoutes.place))).toEqual([ORDER, ORDER])
})

test('outside calling hours asks first: Cancel places no call, "Call anyway" places it', async () => {
  const api = await fillIn()
  api.refuse(callsRoutes.place, 'outside_calling_hours', { message: 'It is 3:10 am there.', field: 'callee' })
  await press('Start Call')
  await expectTexts(['It is 3:10 am there.'], question())
  expect(await axeFindings()).toEqual([])
  await question().getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question()).not.toBeInTheDocument()
  // The question is not an error of the number field.
  await expect.element(page.getByLabelText('Phone Number')).not.toHaveAttribute('aria-invalid')
  await expect.element(page.getByLabelText('Purpose')).toHaveValue(ORDER.purpose)

  await press('Start Call')
  await expect.element(question()).toBeVisible()
  const placed = aRunningCall()
  api.answer(callsRoutes.place, listed(placed))
  answerCalls(api, () => [placed])
  const letGo = api.hold(callsRoutes.place)
  await press('Call anyway')
  await expect.element(question().getByRole('button', { name: 'Call anyway' })).toHaveAttribute('aria-disabled', 'true')
  letGo()
  await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  await expect.element(question()).not.toBeInTheDocument()
  expect(bodiesOf(api.requests(callsRoutes.place))).toEqual([ORDER, ORDER, { ...ORDER, confirmOutsideHours: true }])
  // After two dialogs the focus returns to where it was before the first.
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Start Call' })).toHaveFocus()
})

test('an outside_calling_hours response without a message shows the default question', async () => {
  const api = await fillIn()
  api.send(callsRoutes.place, JSON.stringify({ code: 'outside_calling_hours' }), { status: 422 })
  await press('Start Call')
  await expectTexts(
    ['It is early or late where this number is. Only call if you are sure that they are fine with it.'],
    question(),
  )
  api.refuse(callsRoutes.place, 'outside_calling_hours', { message: 'Nobody may be called there now.' })
  await press('Call anyway')
  // After a confirmation there is nothing more to ask.
  await expectTexts(['Error', 'Nobody may be called there now.'], notices())
  await expect.element(question()).not.toBeInTheDocument()
})
