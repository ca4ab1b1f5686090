import { batchesRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, serve } from '../testing.tsx'
import { carryFiles, haltFiles } from '../uploads.ts'
import { aBatch, anImport, answerBatch } from './testing.tsx'

const FILE = new File(['phone,name\n+12025550100,Grace\n+12025550105,Mary\n'], 'guests.csv')
const chooser = page.getByLabelText('Contact file (.csv or .json)')
const file = page.getByRole('region', { name: 'Who to call' })

// screens.md: without-list-nobody-can
test('without contacts, starting is disabled and a .csv or .json upload is offered', async () => {
  serve()
  const { address } = await openScreen('/make-call')
  await expect.element(page.getByRole('tablist', { name: 'One call or many' })).toBeVisible()
  await expect.element(page.getByRole('tab', { name: 'Single Call' })).toHaveAttribute('aria-selected', 'true')
  await page.getByRole('tab', { name: 'Batch Calls' }).click()
  await expectTexts(
    ['A .csv or .json file with a column for the phone number. Every other column can be used in what is said.'],
    file,
  )
  await expect.element(file.getByRole('button', { name: 'Upload contacts' })).toBeVisible()
  await expect.element(chooser).toHaveAttribute('accept', '.csv,.json')
  await expect.element(page.getByRole('button', { name: 'Start 0 Calls' })).toBeDisabled()
  expect(page.getByText('Estimate', { exact: true }).query()).toBeNull()
  expect(page.getByRole('region', { name: 'Your batches' }).query()).toBeNull()
  expect(await findingsInLooks()).toEqual([])
  expect(address()).toBe('/make-call?tab=batch')
})

test('an upload shows its progress; stopping the upload sends no file', async () => {
  const api = serve()
  carryFiles()
  haltFiles(0.5)
  await openScreen('/make-call?tab=batch')
  await chooser.upload(FILE)
  const progress = page.getByRole('progressbar', { name: 'Uploading guests.csv' })
  await expect.element(progress).toHaveAttribute('aria-valuenow', '50')
  expect(await axeFindings()).toEqual([])
  await file.getByRole('button', { name: 'Stop' }).click()
  await expect.element(progress).not.toBeInTheDocument()
  expect(file.getByRole('alert').query()).toBeNull()
  expect(api.requests(batchesRoutes.import)).toEqual([])
})

test('an uploaded file becomes a draft that keeps the typed purpose; a new batch starts empty', async () => {
  const api = serve()
  answerBatch(api)
  carryFiles()
  const { address } = await openScreen('/make-call?tab=batch')
  await page.getByLabelText('Purpose').fill('Ask {{name}} about lunch')
  const goOn = api.hold(batchesRoutes.import)
  await chooser.upload(FILE)
  await expectTexts(['Reading the file'], file)
  await expect
    .element(page.getByRole('progressbar', { name: 'Uploading guests.csv' }))
    .not.toHaveAttribute('aria-valuenow')
  goOn()
  await expectTexts(['2 contacts can be called', 'guests.csv'], file)
  expect(address()).toBe('/make-call?tab=batch&batch=list-1')
  expect(api.requests(batchesRoutes.import)).toMatchObject([
    { query: { fileName: 'guests.csv' }, body: await FILE.text() },
  ])
  expect(api.requests(batchesRoutes.import)[0]?.query['name']).toMatch(/^Batch .*\d/)
  await expect.element(page.getByLabelText('Purpose')).toHaveValue('Ask {{name}} about lunch')
  await expect
    .poll(() => bodiesOf(api.requests(batchesRoutes.change)))
    .toEqual([{ plan: { purpose: 'Ask {{name}} about lunch' } }])
  await expect.element(page.getByRole('button', { name: 'Start 2 Calls' })).toBeEnabled()
  await page.getByRole('link', { name: 'New batch' }).click()
  await expect.element(page.getByLabelText('Purpose')).toHaveValue('')
})

test('an unreadable file is refused with the server’s reason, or the default one', async () => {
  const api = serve()
  carryFiles()
  await openScreen('/make-call?tab=batch')
  api.send(batchesRoutes.import, '', { status: 500 })
  await chooser.upload(new File(['{"phone": '], 'broken.json'))
  await expect.element(file.getByRole('alert')).toHaveTextContent('Failed to parse file. Please check the format.')
  expect(await axeFindings()).toEqual([])
  api.refuse(batchesRoutes.import, 'too_large', { message: 'The file is too large.' })
  await chooser.upload(FILE)
  await expect.element(file.getByRole('alert')).toHaveTextContent('The file is too large.')
})

// screens.md: long-list-first-five
test('a long list shows its first 5 contacts and how many more follow', async () => {
  const api = serve()
  const preview = Array.from({ length: 5 }, (_, at) => ({
    phone: `+1202555010${at}`,
    name: `Guest ${at}`,
    context: {},
  }))
  answerBatch(api, aBatch(), { list: anImport({ contacts: 100_000, preview }) })
  await openScreen('/make-call?tab=batch&batch=list-1')
  await expectTexts(['100,000 contacts can be called', '+99,995 more contacts...'], file)
  const rows = file.getByRole('table', { name: 'The first contacts' }).getByRole('row').elements()
  expect(rows.map((row) => row.textContent)).toEqual([
    'PhoneName',
    ...preview.map(({ phone, name }) => `${phone}${name}`),
  ])
  await expect.element(page.getByRole('button', { name: 'Start 100,000 Calls' })).toBeVisible()
})

test('columns are detected and can be changed; a refused change is reverted', async () => {
  const api = serve()
  const kept = answerBatch(api, aBatch(), {
    list: anImport({
      columns: ['phone', 'name', 'work'],
      mapping: { phone: 'phone', name: null },
      contacts: 1,
      preview: [],
    }),
  })
  await openScreen('/make-call?tab=batch&batch=list-1')
  await expectTexts(['1 contact can be called'], file)
  const columnOfPhones = file.getByRole('combobox', { name: 'Phone number column' })
  const columnOfNames = file.getByRole('combobox', { name: 'Name column' })
  await expect.element(columnOfPhones).toHaveTextContent('phone')
  await expect.element(columnOfNames).toHaveTextContent('None')
  api.send(batchesRoutes.mapImport, '', { status: 500 })
  await columnOfPhones.click()
  await page.getByRole('option', { name: 'work' }).click()
  await expectTexts(['Error', 'The columns could not be changed.'])
  await expect.element(columnOfPhones).toHaveTextContent('phone')
  api.answer(batchesRoutes.mapImport, ({ body }) => {
    kept.list = { ...kept.list, mapping: body as typeof kept.list.mapping, contacts: 2 }
    return kept.list
  })
  const goOn = api.hold(batchesRoutes.mapImport)
  await columnOfNames.click()
  await page.getByRole('option', { name: 'name' }).click()
  await expect.element(columnOfNames).toHaveTextContent('name')
  expect(document.querySelectorAll('[aria-busy=true]').length).toBeGreaterThan(0)
  goOn()
  await expectTexts(['2 contacts can be called'], file)
  expect(bodiesOf(api.requests(batchesRoutes.mapImport))).toEqual([
    { phone: 'work', name: null },
    { phone: 'phone', name: 'name' },
  ])
})

test('dropped rows are counted by reason and can be downloaded', async () => {
  const api = serve()
  const list = anImport({
    dropped: 2,
    droppedByCode: { number_missing: 1, conflict: 1 },
    droppedFirst: [
      { row: 3, phone: '', code: 'number_missing' },
      { row: 4, phone: '12', code: 'conflict' },
    ],
  })
  answerBatch(api, aBatch(), { list })
  await openScreen('/make-call?tab=batch&batch=list-1')
  await file.getByText('2 rows left out').click()
  await expectTexts(['No phone number: 1', 'Cannot be called: 1'], file)
  await expectTexts(['Row 3, without a name: No phone number', 'Row 4, 12: Cannot be called'], file)
  const all = file.getByRole('link', { name: 'Download the rows left out (CSV)' })
  await expect.element(all).toHaveAttribute('href', '/api/batch-calls/list-1/dropped')
  expect(await findingsInLooks()).toEqual([])
})
