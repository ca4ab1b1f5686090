import { batchesRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { axeFindings, expectTexts, type FakeApi, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { aBatch, agree, anImport, answerBatch, changesOf } from './testing.tsx'

const DRAFT = '/make-call?tab=batch&batch=list-1'
const purpose = page.getByLabelText('Purpose')
const minutes = page.getByLabelText('Max Duration (minutes)')
const toasts = page.getByRole('region', { name: /^Notifications/ })

/** The list as its changes leave it. */
function savedInAll(api: FakeApi): object {
  const changes = changesOf(api) as { readonly plan?: object }[]
  return Object.assign({}, ...changes, { plan: Object.assign({}, aBatch().plan, ...changes.map(({ plan }) => plan)) })
}

describe('call plan', () => {
  test('asks for purpose, tone, duration and language; inserts a column into the purpose only once', async () => {
    const api = serve()
    answerBatch(api, aBatch(), { list: anImport({ columns: ['phone', 'name'] }) })
    await openScreen(DRAFT)
    const script = page.getByRole('region', { name: 'What to say' })
    await expectTexts(
      ['Every contact gets the same call.', 'What each call should achieve', /^Put a column in:/],
      script,
    )
    await expect.element(purpose).toHaveAttribute('placeholder', 'Remind {{name}} of the appointment on {{date}}')
    await expect.element(script.getByLabelText(/^Objectives/)).toBeVisible()
    await expect.element(script.getByRole('combobox', { name: 'Tone' })).toHaveTextContent('Professional')
    await expect
      .element(script.getByRole('combobox', { name: 'Language' }))
      .toHaveTextContent('Auto-detect from phone prefix')
    await expect.element(minutes).toHaveValue(10)
    await purpose.fill('Call')
    await press('Insert {{name}}')
    await expect.element(purpose).toHaveFocus()
    await press('Insert {{name}}')
    await expect.element(purpose).toHaveValue('Call {{name}}')
    expect(await findingsInLooks()).toEqual([])
  })

  test('a template fills the plan; starting is refused until all its placeholders are filled in', async () => {
    const api = serve()
    answerBatch(api)
    await openScreen(DRAFT)
    const remind = async () => {
      await press('Start from a template')
      await page
        .getByRole('dialog', { name: 'Templates' })
        .getByRole('button', { name: /^Send a reminder/ })
        .click()
    }
    await remind()
    await expect.element(purpose).toHaveValue('Remind them of the appointment with [name] on [day and time].')
    await expect.element(page.getByRole('button', { name: 'Remove objective: They will be there' })).toBeVisible()
    await press('Start 2 Calls')
    await expectTexts(['Fill in what is in brackets: [name], [day and time]'])
    await expect.element(purpose).toHaveFocus()
    // The placeholder was selected before too; typing replaces it once the field has the focus again.
    await remind()
    await expect.poll(() => document.activeElement === purpose.element() && getSelection()?.toString()).toBe('[name]')
    await userEvent.keyboard('Doctor Grey')
    await expect.element(purpose).toHaveValue('Remind them of the appointment with Doctor Grey on [day and time].')
  })

  // screens.md: needed-says-nothing-secret
  test('refuses an empty purpose and one with a card number', async () => {
    const api = serve()
    answerBatch(api)
    await openScreen(DRAFT)
    await press('Start 2 Calls')
    await expectTexts(['Please fill in all required fields and upload contact data.'], toasts)
    await expect.element(purpose).toHaveFocus()
    await expect.element(purpose).toHaveAttribute('aria-invalid', 'true')
    expect(await axeFindings()).toEqual([])
    await purpose.fill('Pay with the card 4242 4242 4242 4242')
    await press('Start 2 Calls')
    await expectTexts([/card number/], toasts)
    expect(api.requests(batchesRoutes.change).some(({ body }) => JSON.stringify(body).includes('start'))).toBe(false)
  })

  test('rows without a value for a variable can be left out of the start', async () => {
    const api = serve()
    const kept = answerBatch(api, aBatch({ plan: { ...aBatch().plan, purpose: 'Ask {{name}}' } }))
    kept.missing = [{ variable: 'name', rows: 1 }]
    await openScreen(DRAFT)
    await expectTexts(['{{name}} has no value in 1 row.'])
    await agree()
    api.refuse(batchesRoutes.change, 'variables_missing')
    await press('Start 2 Calls')
    await expectTexts(['Some rows lack a variable. Leave them out, or change the purpose.'], toasts)
    answerBatch(api, kept.batch, kept)
    await page.getByRole('checkbox', { name: 'Leave these rows out' }).click()
    await press('Start 2 Calls')
    await expectTexts(['Batch started'])
    // The start already reported what was refused: the refused change is not sent again to a running batch.
    await page.getByRole('link', { name: 'New batch' }).click()
    await expect.element(page.getByRole('link', { name: 'Open Guests' })).toBeVisible()
    expect(changesOf(api).at(-1)).toEqual({ action: 'start', dropIncomplete: true })
  })
})

describe('consent', () => {
  test('is required before the start; marketing calls also ask for its details', async () => {
    const api = serve()
    answerBatch(api)
    await openScreen(DRAFT)
    const permission = page.getByRole('combobox', { name: 'What did these contacts agree to?' })
    const consent = page.getByRole('region', { name: 'Permission' })
    await expect.element(permission).toHaveTextContent('Choose an answer')
    await expectTexts(['They need permission that each contact gave beforehand.'], consent)
    await purpose.fill('Ask about lunch')
    await press('Start 2 Calls')
    await expectTexts(['Say what these contacts agreed to.'], toasts)
    await expect.element(permission).toHaveFocus()
    await permission.click()
    const options = page.getByRole('option')
    await expect.element(options.first()).toBeVisible()
    expect(options.elements().map((option) => option.textContent)).toEqual([
      'In writing, to be called about this',
      'Verbally, to be called about this',
      'Nothing, but they are our customers or expect our call',
      'Nothing at all',
    ])
    await options.last().click()
    expect(consent.getByLabelText('When and how was it given?').query()).toBeNull()
    await page.getByRole('checkbox', { name: 'These calls advertise or sell something' }).click()
    await expect.element(consent.getByLabelText('When and how was it given?')).toBeVisible()
    await expectTexts(['Kept with the batch, in case somebody asks.'], consent)
    expect(await axeFindings()).toEqual([])
  })

  test('is saved with the draft, with its details; an incomplete one for marketing is not saved', async () => {
    const api = serve()
    answerBatch(api)
    await openScreen(DRAFT)
    await agree('Verbally, to be called about this')
    await page.getByLabelText('When and how was it given?').fill('At the desk, in May')
    const said = { marketing: false, permission: 'spoken', details: 'At the desk, in May' }
    await expect.poll(() => changesOf(api).at(-1)).toEqual({ plan: {}, consent: said })
    await page.getByRole('checkbox', { name: 'These calls advertise or sell something' }).click()
    await agree('Nothing at all')
    await purpose.fill('Tell them of the sale')
    await expect.poll(() => changesOf(api).at(-1)).toEqual({ plan: { purpose: 'Tell them of the sale' } })
    expect(changesOf(api)).not.toContainEqual(
      expect.objectContaining({ consent: expect.objectContaining({ permission: 'none' }) }),
    )
    api.refuse(batchesRoutes.change, 'consent_required', { message: 'Marketing calls need consent.' })
    await press('Start 2 Calls')
    await expectTexts(['Marketing calls need consent.'], toasts)
  })
})

describe('pacing and retries', () => {
  const pace = page.getByRole('group').filter({ hasText: 'Pace and retries' })
  const field = (label: RegExp | string) => page.getByLabelText(label)

  test('are collapsed; more than one call per contact asks for the retry delays', async () => {
    serve()
    await openScreen('/make-call?tab=batch')
    await expect.element(field(/^Calls per contact, at most/)).not.toBeVisible()
    await page.getByText('Pace and retries').click()
    await expect.element(field(/^Calls per minute, at most/)).toHaveValue('60')
    await expect.element(field(/^Calls at once, at most/)).toHaveValue('')
    await expectTexts(['In total, whatever the outcome', 'Leave empty to use the limit of your account'])
    expect(page.getByRole('group', { name: 'Call again after (minutes)' }).query()).toBeNull()
    await field(/^Calls per contact, at most/).fill('2')
    const waits = page.getByRole('group', { name: 'Call again after (minutes)' })
    await expectTexts([
      'Leave empty to not call again after this outcome. Contacts who answered or made an offer are not called again.',
    ])
    for (const [outcome, wait] of [
      ['Busy', '15'],
      ['No answer', '60'],
      ['Voicemail', '240'],
      ['Failed', '10'],
    ] as const)
      await expect.element(waits.getByLabelText(outcome)).toHaveValue(wait)
    await expect.element(pace.first()).toBeVisible()
    expect(await findingsInLooks()).toEqual([])
  })

  test('a number out of range is marked at its field, is not saved and prevents the start', async () => {
    const api = serve()
    answerBatch(api, aBatch({ plan: { ...aBatch().plan, purpose: 'Ask about lunch' } }))
    await openScreen(DRAFT)
    await agree()
    await minutes.fill('300')
    await press('Start 2 Calls')
    await expect.element(minutes).toHaveFocus()
    await expect.element(minutes).toHaveAttribute('aria-invalid', 'true')
    await expectTexts(['Enter a whole number from 1 to 30.'], toasts)
    await minutes.fill('3')
    await page.getByText('Pace and retries').click()
    await field(/^Calls per contact/).fill('2')
    await field('Busy').fill('soon')
    await field(/^Calls per minute/).fill('601')
    await field(/^Calls at once/).fill('-')
    await page.getByText('Pace and retries').click()
    await expect.element(field(/^Calls per contact/)).not.toBeVisible()
    await press('Start 2 Calls')
    // The collapsed section opens to show its errors.
    await expect.element(field(/^Calls per minute/)).toHaveFocus()
    await expectTexts(['600', '50', '10,080'].map((most) => `Enter a whole number from 1 to ${most}.`))
    expect(await axeFindings()).toEqual([])
    await purpose.fill('Ask about dinner')
    // On a fast machine the consent is saved in the same request.
    const savedPlan = () => (changesOf(api).at(-1) as { plan?: unknown } | undefined)?.plan
    await expect.poll(savedPlan).toEqual({ purpose: 'Ask about dinner' })
    await field(/^Calls per minute/).fill('600')
    await field(/^Calls at once/).fill('')
    await field('Busy').fill('10080')
    await press('Start 2 Calls')
    await expect.element(page.getByRole('link', { name: 'Results CSV' })).toBeVisible()
    const retries = { attempts: 2, busy: 10_080, no_answer: 60, voicemail: 240, failed: 10 }
    const pacing = { maxDurationMinutes: 3, callsPerMinute: 600, liveCalls: null, retries }
    expect(changesOf(api).at(-1)).toMatchObject({ action: 'start', dropIncomplete: false })
    expect(JSON.stringify(changesOf(api))).not.toMatch(/300|601|soon/)
    // On a slow machine some of it is saved while the rest is typed.
    expect(savedInAll(api)).toMatchObject({ plan: pacing, description: 'Batch call with 2 contacts' })
  })
})
