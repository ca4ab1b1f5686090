import { contactsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aContact, axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

const GRACE = aContact({
  email: 'grace@navy.example',
  company: 'Navy',
  title: 'Admiral',
  notes: 'Early riser',
  tags: ['vip', 'navy'],
})
const ADA = aContact({ id: 'contact-2', name: 'Ada', phone: '+442079460018' })

const adding = page.getByRole('dialog', { name: 'Add Contact' })
const editing = page.getByRole('dialog', { name: 'Edit Contact' })
const add = () => adding.getByRole('button', { name: 'Add Contact' }).click()

async function openAdding(): Promise<void> {
  await openScreen('/contacts')
  await page.getByRole('button', { name: 'Add Contact' }).first().click()
}

// screens.md: contact-needs-name-number
test('a contact requires a name, a number and a valid email address', async () => {
  const api = serve()
  await openAdding()
  await expectTexts(['With country code, such as +1 202 555 0100', 'Separated by commas'], adding)
  await add()
  await expectTexts(['Error', 'Please fill in all required fields.'])
  const [name, phone, email] = [
    adding.getByLabelText('Name'),
    adding.getByLabelText('Phone Number'),
    adding.getByLabelText(/^Email/),
  ]
  await expect.element(name).toHaveFocus()
  await expect.element(name).toHaveAttribute('aria-invalid', 'true')
  await expect.element(phone).toHaveAttribute('aria-invalid', 'true')
  expect(await axeFindings()).toEqual([])
  await name.fill('Grand Hotel')
  await phone.fill('+1 202 555 0100')
  await expect.element(email).toHaveAttribute('type', 'email')
  await email.fill('nobody')
  await add()
  await expectTexts(['Please enter a valid email address'])
  await expect.element(email).toHaveFocus()
  expect(api.requests(contactsRoutes.create)).toEqual([])
})

test('a contact is added once with all fields, while its button is disabled', async () => {
  const api = serve()
  const added = aContact({ name: 'Grand Hotel' })
  api.answer(contactsRoutes.create, added)
  const goOn = api.hold(contactsRoutes.create)
  await openAdding()
  const fields: readonly (readonly [string | RegExp, string])[] = [
    ['Name', 'Grand Hotel'],
    ['Phone Number', '+1 202 555 0100'],
    [/^Email/, 'desk@grand.example'],
    [/^Company/, 'Grand'],
    [/^Title/, 'Desk'],
    [/^Tags/, 'hotel, Paris, paris'],
    [/^Notes/, 'Ask for the night manager'],
  ]
  for (const [label, text] of fields) await adding.getByLabelText(label).fill(text)
  await add()
  const button = adding.getByRole('button', { name: 'Add Contact' })
  await expect.element(button).toHaveAttribute('aria-disabled', 'true')
  await button.click({ force: true })
  api.answer(contactsRoutes.list, [added])
  goOn()
  await expectTexts(['Contact created'])
  await expect.element(page.getByRole('heading', { name: 'Grand Hotel' })).toBeVisible()
  await expect.element(adding).not.toBeInTheDocument()
  expect(bodiesOf(api.requests(contactsRoutes.create))).toEqual([
    {
      userId: 'user-ada',
      name: 'Grand Hotel',
      phone: '+1 202 555 0100',
      email: 'desk@grand.example',
      company: 'Grand',
      title: 'Desk',
      notes: 'Ask for the night manager',
      tags: ['hotel', 'Paris'],
    },
  ])
})

// screens.md: contact-could-added-stays
test('a contact that could not be added stays in the dialog with the reason', async () => {
  const api = serve()
  api.lose(contactsRoutes.create)
  await openAdding()
  await adding.getByLabelText('Name').fill('Grand Hotel')
  await adding.getByLabelText('Phone Number').fill('+1 202 555 0100')
  await add()
  await expectTexts(['Error', 'Failed to create contact.'])
  api.refuse(contactsRoutes.create, 'conflict', { message: 'There is such a contact already.' })
  await add()
  await expectTexts(['Error', 'There is such a contact already.'])
  api.refuse(contactsRoutes.create, 'number_invalid', { message: 'This is not a phone number.', field: 'phone' })
  await add()
  await expectTexts(['This is not a phone number.'], adding)
  await expect.element(adding.getByLabelText('Phone Number')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(adding.getByLabelText('Name')).toHaveValue('Grand Hotel')
  expect(await axeFindings()).toEqual([])
})

test('a contact is edited from its current values', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE])
  await openScreen('/contacts')
  await press('Edit Grace Hopper')
  await expect.element(editing.getByLabelText('Name')).toHaveValue('Grace Hopper')
  await expect.element(editing.getByLabelText(/^Tags/)).toHaveValue('vip, navy')
  expect(await findingsInLooks()).toEqual([])
  await editing.getByLabelText(/^Company/).fill('')
  api.lose(contactsRoutes.change)
  await editing.getByRole('button', { name: 'Save' }).click()
  await expectTexts(['Error', 'Failed to update contact.'])
  api.answer(contactsRoutes.change, { ...GRACE, company: null })
  api.answer(contactsRoutes.list, [{ ...GRACE, company: null }])
  await editing.getByRole('button', { name: 'Save' }).click()
  await expectTexts(['Contact updated', 'Admiral'])
  await expect.element(editing).not.toBeInTheDocument()
  expect(api.requests(contactsRoutes.change).at(-1)).toMatchObject({
    params: { id: 'contact-1' },
    body: { company: '', title: 'Admiral' },
  })
})

test('the dialog closes before the list is refetched', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE])
  await openScreen('/contacts')
  await press('Edit Grace Hopper')
  await editing.getByLabelText(/^Title/).fill('Countess')
  api.answer(contactsRoutes.change, GRACE)
  api.answer(contactsRoutes.list, [{ ...GRACE, title: 'Countess' }])
  const goOn = api.hold(contactsRoutes.list)
  await editing.getByRole('button', { name: 'Save' }).click()
  await expect.element(editing).not.toBeInTheDocument()
  expect(page.getByText(/Countess/).query()).toBeNull()
  goOn()
  await expectTexts(['Countess, Navy'])
})

test('saving a contact after its dialog was closed leaves another open dialog open', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE, ADA])
  await openScreen('/contacts')
  api.answer(contactsRoutes.change, GRACE)
  const goOn = api.hold(contactsRoutes.change)
  await press('Edit Grace Hopper')
  await editing.getByLabelText(/^Title/).fill('Lady')
  await editing.getByRole('button', { name: 'Save' }).click()
  await editing.getByRole('button', { name: 'Cancel' }).click()
  await press('Edit Ada')
  api.answer(contactsRoutes.list, [{ ...GRACE, title: 'Lady' }, ADA])
  goOn()
  await expectTexts(['Contact updated', 'Lady, Navy'])
  await expect.element(editing.getByLabelText('Name')).toHaveValue('Ada')
})
