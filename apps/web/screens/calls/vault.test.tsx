import { callsRoutes, templatesRoutes, type VaultItem } from '@parley/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Locator, page, userEvent } from 'vitest/browser'
import { aCall, bodiesOf, expectTexts, type FakeApi, findingsInLooks, openScreen, press } from '../testing.tsx'
import { answerCalls, aTurn, openDetails } from './testing.tsx'
import {
  choices,
  choose,
  EVENING,
  field,
  MENU,
  notices,
  openForm,
  placedBy,
  READ,
  serveForm,
  TABLE,
} from './wholeForm.ts'

let api: FakeApi
beforeEach(() => {
  api = serveForm()
})

interface Typed {
  readonly name?: string
  readonly value?: string
}

const section = () => page.getByText('Private values', { exact: true })
const entry = (at = 0) => page.getByRole('main').getByRole('group').last().getByRole('listitem').nth(at)

async function addValue({ name = '', value = '' }: Typed, at = 0): Promise<Locator> {
  if (at === 0) await section().click()
  await press('Add a private value')
  const added = entry(at)
  if (name) await added.getByLabelText('Name').fill(name)
  if (value) await added.getByLabelText('Value', { exact: true }).fill(value)
  return added
}

describe('private values', () => {
  test('are not kept in a template, which keeps what may be agreed to', async () => {
    api.answer(templatesRoutes.save, ({ body }) => body as never)
    await openForm(TABLE)
    await choose(TABLE, 'Exactly this')
    await addValue({ name: 'Booking number', value: 'AB 12' })
    await press('Save as template')
    await page.getByRole('dialog', { name: 'Save as template' }).getByLabelText('Name').fill('Tables')
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => api.requests(templatesRoutes.save).length).toBe(1)
    const [body] = bodiesOf(api.requests(templatesRoutes.save))
    expect(body).toMatchObject({ name: 'Tables', mandates: [{ rule: 'exactly' }] })
    expect(JSON.stringify(body)).not.toContain('AB 12')
  })

  test('are masked, shown on request, and sent with their conditions', async () => {
    await openForm()
    const booking = await addValue({ name: 'Booking number', value: 'AB 12' })
    await expectTexts([/^For this call alone, such as a booking number/])
    await expect.element(booking.getByLabelText('Value', { exact: true })).toHaveAttribute('type', 'password')
    await booking.getByRole('button', { name: 'Show value' }).click()
    await expect.element(booking.getByLabelText('Value', { exact: true })).toHaveAttribute('type', 'text')
    await expect.element(booking.getByRole('button', { name: 'Hide value' })).toBeVisible()
    const born = await addValue({ name: 'Date of birth', value: '4 May 1980' }, 1)
    await born.getByRole('combobox', { name: 'May be told' }).click()
    for (const name of ['When they ask for it', 'By keys, in a phone menu'])
      await expect.element(page.getByRole('option', { name })).toBeVisible()
    await page.getByRole('option', { name: 'After they say …' }).click()
    await expect.element(born.getByPlaceholder('The name of the booking')).toBeVisible()
    await born.getByLabelText('Words they must say first').fill('Ruiz')
    expect(await placedBy(api)).toMatchObject({
      vault: [
        { name: 'Booking number', value: 'AB 12', condition: { when: 'asked' } },
        { name: 'Date of birth', value: '4 May 1980', condition: { when: 'said', words: 'Ruiz' } },
      ],
    })
  })

  test('are not kept when the page is left, only their names', async () => {
    await openForm()
    await addValue({ name: 'Booking number', value: 'AB 12' })
    await page.getByRole('link', { name: 'Contacts' }).click()
    await expectTexts(['No contacts yet'])
    await page.getByRole('link', { name: 'Make Call' }).click()
    await expect.element(entry().getByLabelText('Name')).toHaveValue('Booking number')
    await expect.element(entry().getByLabelText('Value', { exact: true })).toHaveValue('')
    await press('Start Call')
    await expectTexts(['Enter the value of “Booking number”, or remove it.'], notices())
    await expect.element(entry().getByLabelText('Value', { exact: true })).toHaveFocus()
  })

  test.each([
    ['without a name', { value: 'AB 12' }, 'Name', 'Name this private value, or remove it.'],
    [
      'a card number',
      { name: 'Account', value: '4111 1111 1111 1111' },
      'Value',
      'This looks like a payment card number. Parley must not be given card numbers or passwords: remove it from the private values (Account).',
    ],
    [
      'a PIN',
      { name: 'PIN', value: '1234' },
      'Value',
      'This looks like a password or PIN. Parley must not be given card numbers or passwords: remove it from the private values (PIN).',
    ],
  ] as const)('%s is refused with the reason at its field, and places no call', async (_, typed, label, problem) => {
    await openForm()
    const added = await addValue(typed)
    await press('Start Call')
    await expectTexts(['Error', problem], notices())
    await expect
      .element(added.getByLabelText(label, { exact: true }))
      .toHaveAccessibleDescription(expect.stringContaining(problem))
    await expect.element(added.getByLabelText(label, { exact: true })).toHaveFocus()
    expect(api.requests(callsRoutes.place)).toEqual([])
  })

  test('without the words of the condition, or of one name, are refused', async () => {
    await openForm()
    const added = await addValue({ name: 'Booking number', value: 'AB 12' })
    await added.getByRole('combobox', { name: 'May be told' }).click()
    await page.getByRole('option', { name: 'After they say …' }).click()
    await press('Start Call')
    await expectTexts(['Enter the words after which “Booking number” may be told.'], notices())
    await added.getByLabelText('Words they must say first').fill('Ruiz')
    await addValue({ name: 'booking number', value: 'CD 34' }, 1)
    await press('Start Call')
    await expectTexts(['Two private values have the same name.'], notices())
    expect(api.requests(callsRoutes.place)).toEqual([])
  })

  test('are at most ten; removing one moves the focus to the section', async () => {
    await openForm()
    await section().click()
    for (const _ of Array.from({ length: 10 })) await press('Add a private value')
    await expectTexts(['A call takes at most 10 private values.'])
    await expect.element(page.getByRole('button', { name: 'Add a private value' })).toBeDisabled()
    await entry().getByLabelText('Name').fill('Booking number')
    await page.getByRole('button', { name: 'Remove private value: Booking number' }).click()
    await expect.element(page.getByRole('button', { name: 'Add a private value' })).toBeEnabled()
    await expect.poll(() => document.activeElement?.tagName).toBe('SUMMARY')
  })

  test('refused by the server are said at the first of them', async () => {
    api.refuse(callsRoutes.place, 'secret_in_order', { field: 'vault', message: 'This looks like a password.' })
    await openForm()
    const added = await addValue({ name: 'Booking number', value: 'AB 12' })
    await press('Start Call')
    await expect
      .element(added.getByLabelText('Value', { exact: true }))
      .toHaveAccessibleDescription(expect.stringContaining('This looks like a password.'))
  })

  test('and limits have no axe findings, at both widths and in both themes', async () => {
    api.answer(callsRoutes.reading, { objectives: [READ, { mandate: null, understood: null }] })
    await openForm(TABLE, MENU)
    await expectTexts(['Understood: 7 pm, or up to 8:30 pm'])
    await choose(MENU, 'Within limits')
    await addValue({ name: 'Booking number' })
    await expect.element(entry().getByPlaceholder('Booking number')).toBeVisible()
    await press('Start Call')
    await expectTexts([`“${MENU}”: Set at least one limit, or choose another way.`], notices())
    expect(await findingsInLooks()).toEqual([])
  })
})

const VAULT: VaultItem[] = [
  { name: 'Booking number', condition: { when: 'asked' } },
  { name: 'Date of birth', condition: { when: 'said', words: 'Ruiz' } },
  { name: 'Member id', condition: { when: 'menu' } },
]

describe('a call with private values', () => {
  // screens.md: again-asks-private-values
  test('that is repeated with changes says above them which are to be given again, until they are', async () => {
    const call = aCall({ vault: VAULT.slice(0, 2), objectives: [TABLE] })
    answerCalls(api, () => [call])
    api.answer(callsRoutes.get, call)
    await openScreen('/make-call?from=call-1')
    const asks = page.getByRole('main').getByRole('status').filter({ hasText: 'private values are deleted' })
    await expect
      .element(asks)
      .toHaveTextContent('Enter Booking number, Date of birth: private values are deleted when a call ends.')
    await entry(0).getByLabelText('Value', { exact: true }).fill('AB 12')
    await expect.element(asks).toHaveTextContent('Enter Date of birth: private values are deleted when a call ends.')
    await entry(1).getByLabelText('Value', { exact: true }).fill('1 May 1990')
    await expect.element(asks).not.toBeInTheDocument()
    expect(await findingsInLooks()).toEqual([])
  })

  test('is called again through the form, which asks for them', async () => {
    const call = aCall({ vault: VAULT, objectives: [TABLE], mandates: [EVENING] })
    answerCalls(api, () => [call])
    const { address } = await openScreen('/call-history')
    await page.getByRole('button', { name: /^View the call to/ }).click()
    await press('Call again')
    await expectTexts(
      [
        'Private values are needed again',
        'Enter Booking number, Date of birth, Member id: private values are deleted when a call ends.',
      ],
      notices(),
    )
    expect(address()).toBe('/make-call?from=call-1')
    await expect.element(entry(1).getByLabelText('Name')).toHaveValue('Date of birth')
    await expect.element(entry(1).getByLabelText('Words they must say first')).toHaveValue('Ruiz')
    await expect.element(choices(TABLE).getByRole('radio', { name: 'Within limits' })).toBeChecked()
    await expect.element(field('Latest time')).toHaveValue('20:30')
    expect(api.requests(callsRoutes.place)).toEqual([])
  })

  test('shows what was told to whom and when, and masks the values everywhere', async () => {
    const { dialog } = await openDetails(
      aCall({
        vault: VAULT,
        told: [
          { name: 'Booking number', by: 'voice', turn: 0, at: '2026-11-20T10:00:30.000Z' },
          { name: 'Member id', by: 'keys', turn: null, at: '2026-11-20T10:00:40.000Z' },
        ],
        turns: [aTurn(0, 'It is [[private 1]].'), aTurn(1, 'Thank you, [[private 1]].')],
        outcomes: [
          {
            objective: 'A table for two at 7 pm',
            status: 'met',
            quote: 'Thank you, [[private 1]].',
            turn: 1,
            offer: null,
          },
        ],
        summary: 'They found [[private 1]].',
      }),
    )
    await expectTexts(['It is •••• (Booking number).', 'Thank you, •••• (Booking number).'], dialog)
    await dialog.getByRole('tab', { name: 'Summary' }).click()
    await expectTexts(['They found •••• (Booking number).'], dialog)
    await dialog.getByRole('tab', { name: 'Details' }).click()
    await expectTexts(
      [
        /^Told by voice to \+1 202 555 0100, Nov 20, 2026/,
        /^Told by keys to \+1 202 555 0100, Nov 20, 2026/,
        /^Not told · After they say “Ruiz”/,
      ],
      dialog,
    )
    expect(await findingsInLooks()).toEqual([])
  })
})
