import { type CallTemplate, CAPABILITIES, templatesRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  ADA,
  aCall,
  axeFindings,
  bodiesOf,
  expectTexts,
  type FakeApi,
  findingsInLooks,
  NARROW,
  openScreen,
  press,
  serve,
} from '../testing.tsx'
import { openDetails, withCredits } from './testing.tsx'

const READY = [
  [
    'Negotiate a hotel stay',
    ['A price per night below [price]', 'Breakfast is included', 'Free cancellation until the day before'],
  ],
  [
    'Run a short survey',
    [
      'How content they are with [topic], from 1 to 10',
      'What they would change first',
      'Whether we may ask them again next year',
    ],
  ],
  ['Call a friend or relative', ['How they are', 'Whether it suits them to meet on [day]']],
  [
    'Find business leads',
    ['Who decides about it', 'Whether they want to know more', 'A time for a call with a colleague'],
  ],
  ['Amend a booking', ['The booking is moved to [new day and time]', 'The change is free of charge']],
  ['Send a reminder', ['They will be there', 'Whether they need anything before then']],
  ['Reserve a table', ['A table on [day and time]', 'There are vegetarian dishes']],
] as const

/** Wide enough to show the templates beside the form. */
const ROOMY = [1400, 900] as const

const notices = () => page.getByRole('region', { name: /^Notifications/ })
const purpose = () => page.getByLabelText('Purpose')
const own = () => page.getByRole('region', { name: 'Your templates' })
const ready = () => page.getByRole('region', { name: 'Ready to use' })
const saving = () => page.getByRole('dialog', { name: 'Save as template' })

function aTemplate(change: Partial<CallTemplate> = {}): CallTemplate {
  return {
    id: 'template-1',
    userId: ADA.id,
    name: 'Parcels',
    purpose: 'Ask whether the parcel has arrived.',
    objectives: ['It has arrived'],
    mandates: [],
    tone: 'formal',
    maxDurationMinutes: 3,
    context: { parcel: 7 },
    language: 'fr',
    createdAt: '2026-11-01T10:00:00.000Z',
    ...change,
  }
}

async function openWith(templates: readonly CallTemplate[]): Promise<FakeApi> {
  const api = serve(withCredits('40'))
  api.answer(templatesRoutes.list, [...templates])
  await openScreen('/make-call', { size: ROOMY })
  return api
}

describe('built-in templates', () => {
  test('are as many as the capabilities of the landing page', async () => {
    await openWith([])
    await expect.poll(() => ready().getByRole('button').elements().length).toBe(CAPABILITIES.length)
    expect(READY).toHaveLength(CAPABILITIES.length)
  })

  test.each(READY)('%s fills the form and selects its first placeholder', async (name, objectives) => {
    await openWith([])
    await page.getByLabelText('Phone Number').fill('+1 202 555 0100')
    await ready()
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    for (const objective of objectives)
      await expect
        .element(page.getByRole('button', { name: `Remove objective: ${objective}`, exact: true }))
        .toBeVisible()
    await expect.element(page.getByLabelText('Phone Number')).toHaveValue('+1 202 555 0100')
    // The form was empty except for the number, so there is nothing to undo.
    await expect.element(page.getByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
    await expect.element(purpose()).toHaveFocus()
    await expect.poll(() => getSelection()?.toString()).toMatch(/^\[.+\]$/)
    const blank = getSelection()?.toString() ?? ''
    await userEvent.keyboard('four of us')
    await expect.element(purpose()).toHaveValue(expect.stringContaining('four of us') as string)
    await expect.element(purpose()).not.toHaveValue(expect.stringContaining(`four of us${blank}`) as string)
  })
})

describe('the user’s templates', () => {
  test('show a hint when there are none', async () => {
    await openWith([])
    await expectTexts(['None yet. Templates you save appear here.'], own())
    expect(await axeFindings()).toEqual([])
  })

  test('replace the form when used, with an undo', async () => {
    await openWith([aTemplate()])
    await purpose().fill('Something else')
    await own()
      .getByRole('button', { name: /^Parcels/ })
      .click()
    await expectTexts(['The template replaced what you had typed.'], notices())
    await expect.element(purpose()).toHaveValue('Ask whether the parcel has arrived.')
    await expect.element(page.getByLabelText(/^Context/)).toHaveValue('{\n  "parcel": 7\n}')
    await expect.element(page.getByRole('combobox', { name: 'Tone' })).toHaveTextContent('Formal')
    await expect.element(page.getByRole('combobox', { name: 'Language' })).toHaveTextContent('French')
    await expect.element(page.getByLabelText('Max Duration (minutes)')).toHaveValue(3)
    expect(await axeFindings()).toEqual([])
    await press('Undo')
    await expect.element(purpose()).toHaveValue('Something else')
    await expect.element(page.getByLabelText(/^Context/)).toHaveValue('')
  })

  test('load while the built-in ones are already shown', async () => {
    const api = serve(withCredits('40'))
    const letGo = api.hold(templatesRoutes.list)
    await openScreen('/make-call', { size: ROOMY })
    await expect.element(ready().getByRole('button').first()).toBeVisible()
    await expect.element(page.getByText('None yet. Templates you save appear here.')).not.toBeInTheDocument()
    letGo()
    await expectTexts(['None yet. Templates you save appear here.'], own())
  })

  test('offer a retry when loading fails', async () => {
    const api = serve(withCredits('40'))
    api.refuse(templatesRoutes.list, 'internal')
    await openScreen('/make-call', { size: ROOMY })
    await expectTexts(['Your templates could not be loaded'], own())
    api.answer(templatesRoutes.list, [aTemplate()])
    await press('Try again')
    await expect.element(own().getByRole('button', { name: /^Parcels/ })).toBeVisible()
  })

  test('open in a panel on a narrow screen, with a tone that the form does not offer', async () => {
    const api = serve(withCredits('40'))
    api.answer(templatesRoutes.list, [aTemplate({ tone: 'empathetic' })])
    await openScreen('/dashboard', { size: NARROW })
    await press('Start from a template')
    const panel = page.getByRole('dialog', { name: 'Templates' })
    await expectTexts(['Start from a call that is already set up. The phone number does not change.'], panel)
    expect(await findingsInLooks()).toEqual([])
    await panel.getByRole('button', { name: /^Parcels/ }).click()
    await expect.element(panel).not.toBeInTheDocument()
    await expect.element(purpose()).toHaveValue('Ask whether the parcel has arrived.')
    await expect.element(purpose()).toHaveFocus()
    await expect.element(page.getByRole('combobox', { name: 'Tone' })).toHaveTextContent('Empathetic')
  })
})

describe('saving a template', () => {
  /** Fills the form and opens the dialog. */
  async function begin(): Promise<FakeApi> {
    const api = await openWith([])
    await purpose().fill('Ask whether the parcel has arrived. It is blue.')
    await page.getByLabelText(/^Objectives/).fill('It has arrived')
    await page.getByLabelText(/^Context/).fill('{"parcel": 7}')
    await press('Save as template')
    await expectTexts(
      ['Purpose, objectives, tone, duration, language and context are kept; the number is not.'],
      saving(),
    )
    return api
  }

  test('saves the form under the typed name, proposed from the first words of the purpose', async () => {
    const api = await begin()
    api.answer(templatesRoutes.save, aTemplate())
    const name = saving().getByLabelText('Name')
    await expect.element(name).toHaveValue('Ask whether the parcel has arrived')
    expect(await findingsInLooks()).toEqual([])
    await page.viewport(...ROOMY)
    await name.fill(' Parcels ')
    const letGo = api.hold(templatesRoutes.save)
    await saving().getByRole('button', { name: 'Save' }).click()
    await expect.element(saving().getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
    api.answer(templatesRoutes.list, [aTemplate()])
    letGo()
    await expectTexts(['Template saved'], notices())
    await expect.element(saving()).not.toBeInTheDocument()
    await expect.element(own().getByRole('button', { name: /^Parcels/ })).toBeVisible()
    expect(bodiesOf(api.requests(templatesRoutes.save))).toEqual([
      {
        userId: ADA.id,
        name: 'Parcels',
        purpose: 'Ask whether the parcel has arrived. It is blue.',
        objectives: ['It has arrived'],
        tone: 'professional',
        maxDurationMinutes: 10,
        context: { parcel: 7 },
        language: 'auto',
      },
    ])
  })

  test('requires a name that is not taken', async () => {
    const api = await begin()
    const name = saving().getByLabelText('Name')
    await name.fill(' ')
    await saving().getByRole('button', { name: 'Save' }).click()
    await expect.element(name).toHaveAccessibleDescription('Please give the template a name.')
    expect(await axeFindings()).toEqual([])
    expect(api.requests(templatesRoutes.save)).toEqual([])
    api.refuse(templatesRoutes.save, 'conflict', { message: 'You already have a template named “PARCELS”.' })
    await name.fill('PARCELS')
    await saving().getByRole('button', { name: 'Save' }).click()
    await expect.element(name).toHaveAccessibleDescription('You already have a template named “PARCELS”.')
    await saving().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(saving()).not.toBeInTheDocument()
  })

  test.each([
    ['the server fails', (api: FakeApi) => api.refuse(templatesRoutes.save, 'internal')],
    ['the response is empty', (api: FakeApi) => api.send(templatesRoutes.save, '', { status: 500 })],
  ])('when %s, shows an error and keeps the dialog open', async (_, fail) => {
    const api = await begin()
    fail(api)
    await saving().getByRole('button', { name: 'Save' }).click()
    await expectTexts(['Failed to save template.'], notices())
    await expect.element(saving()).toBeVisible()
  })

  test('refuses a form with errors', async () => {
    const api = await openWith([])
    await press('Save as template')
    await expectTexts(['Please fill in all required fields.'], notices())
    await purpose().fill('Say that my PIN is 1234')
    await press('Save as template')
    await expectTexts([/^This looks like a password or PIN\./], notices())
    await expect.element(saving()).not.toBeInTheDocument()
    expect(api.requests(templatesRoutes.save)).toEqual([])
  })

  test('keeps unfilled placeholders', async () => {
    const api = await openWith([])
    api.answer(templatesRoutes.save, aTemplate())
    await ready()
      .getByRole('button', { name: /^Reserve a table/ })
      .click()
    await press('Save as template')
    await saving().getByRole('button', { name: 'Save' }).click()
    await expectTexts(['Template saved'], notices())
    expect(bodiesOf(api.requests(templatesRoutes.save))).toMatchObject([
      { purpose: 'Reserve a table for [number of people] on [day and time], in the name of [name].' },
    ])
  })

  test('saves a template from an ended call', async () => {
    const { api, dialog } = await openDetails(aCall({ tone: 'formal', context: { name: 'Ruiz' } }))
    api.answer(templatesRoutes.save, aTemplate())
    await dialog.getByRole('button', { name: 'Save as template' }).click()
    await saving().getByLabelText('Name').fill('Dinners')
    await saving().getByRole('button', { name: 'Save' }).click()
    await expectTexts(['Template saved'], notices())
    const kept = { name: 'Dinners', purpose: 'Book a table for two at 7 pm', tone: 'formal', context: { name: 'Ruiz' } }
    expect(bodiesOf(api.requests(templatesRoutes.save))).toMatchObject([kept])
  })
})

describe('renaming a template', () => {
  const renaming = () => page.getByRole('dialog', { name: 'Rename template' })

  test('shows the new name in the list', async () => {
    const api = await openWith([aTemplate()])
    await press('Rename Parcels')
    await expect.element(renaming().getByLabelText('Name')).toHaveValue('Parcels')
    expect(await axeFindings()).toEqual([])
    await renaming().getByLabelText('Name').fill('Blue parcels')
    api.answer(templatesRoutes.rename, aTemplate({ name: 'Blue parcels' }))
    api.answer(templatesRoutes.list, [aTemplate({ name: 'Blue parcels' })])
    await press('Save')
    await expectTexts(['Template renamed'], notices())
    await expect.element(renaming()).not.toBeInTheDocument()
    await expect.element(own().getByRole('button', { name: /^Blue parcels/ })).toBeVisible()
    expect(api.requests(templatesRoutes.rename)).toMatchObject([
      { params: { id: 'template-1' }, body: { name: 'Blue parcels' } },
    ])
  })

  test.each([
    [
      'with the server’s message',
      (api: FakeApi) => api.refuse(templatesRoutes.rename, 'conflict', { message: 'It is taken.' }),
      'It is taken.',
    ],
    [
      'with the default message',
      (api: FakeApi) => api.send(templatesRoutes.rename, '', { status: 500 }),
      'Failed to rename template.',
    ],
  ])('shows why it failed, %s', async (_, fail, sentence) => {
    const api = await openWith([aTemplate()])
    fail(api)
    await press('Rename Parcels')
    await press('Save')
    await expectTexts([sentence], notices())
    await expect.element(renaming()).toBeVisible()
  })
})

describe('deleting a template', () => {
  const question = () => page.getByRole('alertdialog', { name: 'Delete template' })

  test('asks for confirmation', async () => {
    const api = await openWith([aTemplate()])
    await press('Delete Parcels')
    await expectTexts(['“Parcels” will be deleted. Calls made with it are kept.'], question())
    expect(await axeFindings()).toEqual([])
    await question().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(question()).not.toBeInTheDocument()
    await press('Delete Parcels')
    api.answer(templatesRoutes.remove, { message: 'Deleted.' })
    api.answer(templatesRoutes.list, [])
    await question().getByRole('button', { name: 'Delete' }).click()
    await expectTexts(['Template deleted'], notices())
    await expectTexts(['None yet. Templates you save appear here.'], own())
    expect(api.requests(templatesRoutes.remove)).toMatchObject([{ params: { id: 'template-1' } }])
  })

  test('shows an error and keeps the template when the deletion fails', async () => {
    const api = await openWith([aTemplate()])
    api.send(templatesRoutes.remove, '', { status: 500 })
    await press('Delete Parcels')
    await question().getByRole('button', { name: 'Delete' }).click()
    await expectTexts(['Failed to delete template.'], notices())
    await question().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(own().getByRole('button', { name: /^Parcels/ })).toBeVisible()
  })
})
