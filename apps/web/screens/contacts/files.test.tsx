import { contactsRoutes, type ContactsImport, type ErrorCode } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aContact, axeFindings, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { carryFiles, haltFiles } from '../uploads.ts'

const FILE = new File(['Name,Phone\nAda,+12025550101\n'], 'people.csv')
const dialog = page.getByRole('dialog', { name: 'Import and export' })
const chooser = dialog.getByLabelText('Choose a .csv or .vcf file', { exact: true }).first()

async function openFiles(): Promise<void> {
  carryFiles()
  await openScreen('/contacts')
  await press('Import and export')
  await expect.element(dialog).toBeVisible()
}

const outcome = (change: Partial<ContactsImport>): ContactsImport => ({ added: 0, changed: 0, dropped: [], ...change })
const row = (place: number, code: ErrorCode, who: { name?: string; phone?: string } = {}) => ({
  row: place,
  name: '',
  phone: '',
  code,
  ...who,
})

test('offers import from .csv or .vcf and export as CSV or vCard', async () => {
  serve()
  await openFiles()
  await expectTexts(
    ['CSV from a spreadsheet or an address book, or vCard (.vcf) from a phone.', 'Download all your contacts.'],
    dialog,
  )
  for (const name of ['Import', 'Export']) await expect.element(dialog.getByRole('heading', { name })).toBeVisible()
  await expect.element(chooser).toHaveAttribute('accept', '.csv,.vcf')
  const address = '/api/user/user-ada/contacts/export?format='
  await expect.element(dialog.getByRole('link', { name: 'Download CSV' })).toHaveAttribute('href', `${address}csv`)
  await expect.element(dialog.getByRole('link', { name: 'Download vCard' })).toHaveAttribute('href', `${address}vcf`)
  expect(await findingsInLooks()).toEqual([])
})

test('an upload that is stopped sends no file', async () => {
  const api = serve()
  await openFiles()
  haltFiles(0.5)
  await chooser.upload(FILE)
  const progress = dialog.getByRole('progressbar', { name: 'Importing contacts' })
  await expect.element(progress).toHaveAttribute('aria-valuenow', '50')
  expect(await axeFindings()).toEqual([])
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await expect.element(progress).not.toBeInTheDocument()
  expect(dialog.getByRole('alert').query()).toBeNull()
  expect(api.requests(contactsRoutes.import)).toEqual([])
})

test('an import shows its counts and dropped rows, and refreshes the list', async () => {
  const api = serve()
  await openFiles()
  api.answer(
    contactsRoutes.import,
    outcome({ added: 1, changed: 1, dropped: [row(4, 'number_missing', { name: 'Nobody' })] }),
  )
  const goOn = api.hold(contactsRoutes.import)
  await chooser.upload(FILE)
  const progress = dialog.getByRole('progressbar', { name: 'Importing contacts' })
  await expect.element(progress).not.toHaveAttribute('aria-valuenow')
  await expect.element(dialog.getByRole('button', { name: 'Stop' })).not.toBeInTheDocument()
  api.answer(contactsRoutes.list, [aContact({ name: 'Ada' })])
  goOn()
  await expectTexts(['1 added, 1 updated'], dialog)
  await dialog.getByText('1 row was left out').click()
  await expectTexts(['Row 4, Nobody: No phone number'], dialog)
  expect(await axeFindings()).toEqual([])
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.element(page.getByRole('heading', { name: 'Ada' })).toBeVisible()
  expect(api.requests(contactsRoutes.import)).toMatchObject([
    { query: { fileName: 'people.csv' }, body: await FILE.text() },
  ])
})

test('a failed import shows the reason', async () => {
  const api = serve()
  await openFiles()
  api.lose(contactsRoutes.import)
  await chooser.upload(FILE)
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('The file could not be imported.')
  api.refuse(contactsRoutes.import, 'too_large', { message: 'This file is too large.' })
  await chooser.upload(FILE)
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This file is too large.')
  expect(await axeFindings()).toEqual([])
})

const REASONS = [
  ['number_missing', 'No phone number'],
  ['number_invalid', 'Not a phone number'],
  ['number_duplicate', 'Duplicate number'],
  ['number_emergency', 'An emergency number'],
  ['number_short_code', 'A short code'],
  ['number_premium', 'A premium rate number'],
  ['number_shared_cost', 'A shared cost number'],
  ['number_personal', 'A personal number'],
  ['number_satellite', 'A satellite number'],
  ['number_directory', 'Directory assistance'],
  ['number_extension', 'A number with an extension'],
  ['number_unknown_type', 'A kind of number that is not called'],
  ['country_not_allowed', 'A country that is not called'],
  ['timezone_unknown', 'A time zone that does not exist; write it like America/New_York'],
  ['number_not_verified', 'Free credits call verified numbers only'],
  ['do_not_call', 'On the do-not-call list'],
  ['consent_required', 'Needs consent'],
  ['attempts_exceeded', 'Daily limit for this number reached'],
  ['variables_missing', 'A variable is missing'],
  ['outside_calling_hours', 'Outside calling hours'],
  ['invalid_input', 'Cannot be read'],
  ['internal', 'Cannot be called'],
] as const satisfies readonly (readonly [ErrorCode, string])[]
const HALF = Math.ceil(REASONS.length / 2)

test.each([REASONS.slice(0, HALF), REASONS.slice(HALF)])(
  'rows dropped for %s and other reasons each show a sentence',
  async (...reasons) => {
    const api = serve()
    await openFiles()
    api.answer(
      contactsRoutes.import,
      outcome({ dropped: reasons.map(([code], place) => row(place + 2, code, { phone: '12' })) }),
    )
    await chooser.upload(FILE)
    await dialog.getByText(`${reasons.length} rows were left out`).click()
    for (const [place, [, sentence]] of reasons.entries())
      await expectTexts([`Row ${place + 2}, 12: ${sentence}`], dialog)
  },
)

test('of many dropped rows the first 20 are listed, with the count of the rest', async () => {
  const api = serve()
  await openFiles()
  const dropped = Array.from({ length: 1025 }, (_, place) => row(place + 2, 'number_missing'))
  api.answer(contactsRoutes.import, outcome({ dropped }))
  await chooser.upload(FILE)
  await dialog.getByText('1,025 rows were left out').click()
  await expectTexts(
    ['Row 2, without a name: No phone number', 'Row 21, without a name: No phone number', 'and 1,005 more'],
    dialog,
  )
  expect(dialog.getByText(/^Row 22,/).query()).toBeNull()
})
