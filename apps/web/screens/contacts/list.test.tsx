import { callsRoutes, contactsRoutes, reportsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  aCall,
  aContact,
  axeFindings,
  expectTexts,
  findingsInLooks,
  listed,
  NARROW,
  openScreen,
  press,
  serve,
} from '../testing.tsx'

const GRACE = aContact({
  email: 'grace@navy.example',
  company: 'Navy',
  title: 'Admiral',
  notes: 'Ask for the night manager',
  tags: ['vip'],
})
const ADA = aContact({
  id: 'contact-2',
  name: 'Ada',
  phone: '+442079460018',
  tags: ['vip', 'hotel'],
  totalCalls: 2,
  successfulCalls: 1,
})
const HOTEL = aContact({ id: 'contact-3', name: 'Grand Hotel', phone: '+12025550100', totalCalls: 1 })

const heading = (name: string) => page.getByRole('heading', { name })

test('an empty list offers to add the first contact', async () => {
  serve()
  await openScreen('/contacts')
  await expectTexts(['The people and businesses your calls go to.', 'No contacts yet', '0 contacts'])
  await expectTexts(['Add the first one, or import them from your phone or address book.'])
  await page.getByRole('tabpanel').getByRole('button', { name: 'Add Contact' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Add Contact' })).toBeVisible()
})

// screens.md: everybody-card-known-both
test('each contact has a card with its details, at both widths and in both themes', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE, ADA, HOTEL])
  api.answer(contactsRoutes.tags, [
    { tag: 'vip', contacts: 2 },
    { tag: 'hotel', contacts: 1 },
  ])
  await openScreen('/contacts')
  await expectTexts([
    '3 contacts',
    'Admiral, Navy',
    '+1 202 555 0101',
    'grace@navy.example',
    'Ask for the night manager',
    'United Kingdom',
  ])
  await expect.element(page.getByRole('list', { name: 'Tags' }).first()).toHaveTextContent('vip')
  await expect.element(page.getByRole('button', { name: /^2 calls · 1 successful/ })).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^1 call · 0 successful/ })).toBeVisible()
  await expectTexts(['No calls yet'])
  await expect
    .element(page.getByRole('link', { name: 'Call Grace Hopper' }))
    .toHaveAttribute('href', '/make-call?phone=%2B12025550101')
  expect(await findingsInLooks()).toEqual([])
})

test('shows placeholders until the contacts are loaded', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE])
  const goOn = api.hold(contactsRoutes.list)
  await openScreen('/contacts')
  await expect
    .element(page.getByLabelText('Search contacts'))
    .toHaveAttribute('placeholder', 'Name, number, email or company')
  expect(document.querySelectorAll('[aria-busy=true] [aria-hidden=true]').length).toBe(3)
  expect(page.getByText('No contacts yet').query()).toBeNull()
  goOn()
  await expect.element(heading('Grace Hopper')).toBeVisible()
  await expectTexts(['1 contact'])
  expect(document.querySelectorAll('[aria-busy=true]').length).toBe(0)
})

test('a failed load of contacts offers a retry', async () => {
  const api = serve()
  api.refuse(contactsRoutes.list, 'internal')
  await openScreen('/contacts')
  await expectTexts(['Your contacts could not be loaded'])
  expect(await axeFindings()).toEqual([])
  api.answer(contactsRoutes.list, [GRACE])
  await press('Try again')
  await expect.element(heading('Grace Hopper')).toBeVisible()
})

test('search and tag filter the list and can be cleared', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, ({ query }) => (query['q'] ? [] : query['tag'] ? [ADA] : [GRACE, ADA]))
  api.answer(contactsRoutes.tags, [{ tag: 'hotel', contacts: 1 }])
  await openScreen('/contacts')
  const tags = page.getByRole('group', { name: 'Tags' })
  await tags.getByRole('button', { name: /^hotel/ }).click()
  await expect.element(heading('Grace Hopper')).not.toBeInTheDocument()
  await expect.element(heading('Ada')).toBeVisible()
  await page.getByLabelText('Search contacts').fill('  engines ')
  await expectTexts(['No contact matches', 'Try a different search or tag.'])
  expect(api.requests(contactsRoutes.list).at(-1)?.query).toMatchObject({ q: 'engines', tag: 'hotel' })
  expect(await axeFindings()).toEqual([])
  await page.getByLabelText('Search contacts').fill('')
  await tags.getByRole('button', { name: 'All' }).click()
  await expect.element(heading('Grace Hopper')).toBeVisible()
})

test('a selected tag keeps filtering after its last contact is deleted, until it is cleared', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, ({ query }) => (query['tag'] ? [ADA] : [GRACE, ADA]))
  api.answer(contactsRoutes.tags, [{ tag: 'hotel', contacts: 1 }])
  await openScreen('/contacts')
  const tags = page.getByRole('group', { name: 'Tags' })
  await tags.getByRole('button', { name: /^hotel/ }).click()
  await expect.element(heading('Grace Hopper')).not.toBeInTheDocument()
  api.answer(contactsRoutes.remove, { message: 'Deleted' })
  api.answer(contactsRoutes.list, ({ query }) => (query['tag'] ? [] : [GRACE]))
  api.answer(contactsRoutes.tags, [])
  await press('Delete Ada')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(['No contact matches'])
  await expect.element(tags.getByRole('button', { name: 'hotel', pressed: true })).toBeVisible()
  await tags.getByRole('button', { name: 'All' }).click()
  await expect.element(heading('Grace Hopper')).toBeVisible()
  await expect.element(tags).not.toBeInTheDocument()
})

test('a long list loads its next page on request', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE], { total: 2, nextCursor: 'second' })
  await openScreen('/contacts')
  await expectTexts(['2 contacts'])
  api.answer(contactsRoutes.list, [ADA], { total: 2 })
  await press('Show more contacts')
  await expect.element(heading('Ada')).toBeVisible()
  await expect.element(heading('Grace Hopper')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Show more contacts' })).not.toBeInTheDocument()
  expect(api.requests(contactsRoutes.list).at(-1)?.query['cursor']).toBe('second')
})

test('a call that ends updates the count on its contact’s card', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE])
  api.answer(callsRoutes.get, aCall())
  const scene = await openScreen('/contacts')
  await expectTexts(['No calls yet'])
  api.answer(contactsRoutes.list, [{ ...GRACE, totalCalls: 1, successfulCalls: 1 }])
  scene.say({ type: 'call_completed', callId: 'call-1' })
  await expect.element(page.getByRole('button', { name: /^1 call · 1 successful/ })).toBeVisible()
  // The end notice loads the call by itself.
  await expect.poll(() => api.requests(callsRoutes.get).length).toBeGreaterThan(0)
})

test('the calls to a contact open in a sheet, a page at a time', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [ADA])
  api.answer(reportsRoutes.calls, [listed(aCall({ purpose: 'Book a table' }))], { total: 2, nextCursor: 'older' })
  await openScreen('/contacts', { size: NARROW })
  await press(/^2 calls/)
  const sheet = page.getByRole('dialog', { name: 'Calls to Ada' })
  await expectTexts(['+44 20 7946 0018', 'Book a table'], sheet)
  expect(await axeFindings()).toEqual([])
  api.answer(reportsRoutes.calls, [listed(aCall({ id: 'call-2', purpose: 'Ask about lunch' }))], { total: 2 })
  await sheet.getByRole('button', { name: 'Show more calls' }).click()
  await expectTexts(['Ask about lunch', 'Book a table'], sheet)
  expect(api.requests(reportsRoutes.calls).at(-1)?.query).toMatchObject({ callee: ADA.phone, cursor: 'older' })
})

test('the calls to a contact may be empty, and a failed load offers a retry', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [ADA])
  api.refuse(reportsRoutes.calls, 'internal')
  await openScreen('/contacts')
  await press(/^2 calls/)
  const sheet = page.getByRole('dialog', { name: 'Calls to Ada' })
  await expectTexts(['The calls could not be loaded'], sheet)
  api.answer(reportsRoutes.calls, [])
  await sheet.getByRole('button', { name: 'Try again' }).click()
  await expectTexts(['Nobody has called this number yet.'], sheet)
  expect(await axeFindings()).toEqual([])
})

// screens.md: somebody-deleted-only-after
test('a contact is deleted only after confirmation, and the focus moves to the list', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE, ADA])
  api.answer(contactsRoutes.remove, { message: 'Deleted' })
  await openScreen('/contacts')
  await press('Delete Grace Hopper')
  const question = page.getByRole('alertdialog', { name: 'Delete contact' })
  await expectTexts(['Are you sure you want to delete this contact?'], question)
  expect(await axeFindings()).toEqual([])
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(api.requests(contactsRoutes.remove)).toEqual([])
  await press('Delete Grace Hopper')
  const goOn = api.hold(contactsRoutes.remove)
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.element(question.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-disabled', 'true')
  api.answer(contactsRoutes.list, [ADA])
  goOn()
  await expectTexts(['Contact deleted'])
  await expect.element(heading('Grace Hopper')).not.toBeInTheDocument()
  await expect.poll(() => document.activeElement?.tagName).toBe('UL')
  expect(api.requests(contactsRoutes.remove).map(({ params }) => params)).toEqual([{ id: 'contact-1' }])
})

// screens.md: somebody-could-deleted-stays
test('a failed deletion shows the reason and keeps the contact', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE])
  await openScreen('/contacts')
  api.lose(contactsRoutes.remove)
  await press('Delete Grace Hopper')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(['Error', 'Failed to delete contact.'])
  api.refuse(contactsRoutes.remove, 'conflict', { message: 'A call to them is under way.' })
  await press('Delete Grace Hopper')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectTexts(['Error', 'A call to them is under way.'])
  await expect.element(heading('Grace Hopper')).toBeVisible()
})

test('closing a dialog returns the focus to the button that opened it', async () => {
  const api = serve()
  api.answer(contactsRoutes.list, [GRACE])
  await openScreen('/contacts')
  await press('Edit Grace Hopper')
  await expect.element(page.getByRole('dialog', { name: 'Edit Contact' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Edit Grace Hopper' })).toHaveFocus()
})
