import { creditsRoutes } from '@parley/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { lose } from './testing.tsx'

// Packages and the enterprise inquiry on Billing.

const dialog = () => page.getByRole('dialog', { name: 'Enterprise Inquiry' })
const field = (label: string) => dialog().getByLabelText(new RegExp(`^${label}`))

test('each package shows its credits, bonus, price, features and a link to its payment', async () => {
  serve()
  await openScreen('/billing')
  const sold = page.getByRole('region', { name: 'Buy credits' })
  await expectTexts(
    ['One credit is about one minute of calling. Credits never expire and there is no monthly fee.'],
    sold,
  )
  const item = (name: string) => sold.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await expectTexts(
    ['10 credits', '$9.99', '10 call credits', 'Transcripts and summaries', 'Credits never expire'],
    item('Light'),
  )
  await expectTexts(['25 credits', '+5 bonus', '$19.99', 'Most Popular', '25 call credits and 5 more'], item('Premium'))
  await expectTexts(
    ['75 credits', '+25 bonus', '$49.99', '75 call credits and 25 more', 'Enough for a list of a hundred'],
    item('Pro'),
  )
  await expectTexts([/\$1\.00 per credit/], item('Light'))
  await expectTexts([/\$0\.67 per credit/], item('Premium'))
  await expectTexts([/\$0\.50 per credit/], item('Pro'))
  for (const name of ['Light', 'Premium', 'Pro'])
    await expect
      .element(sold.getByRole('link', { name: `Buy ${name}` }))
      .toHaveAttribute('href', `/new-payment?package=${name.toLowerCase()}`)
})

// screens.md: inquiry-asks-needs-tells
test('an inquiry validates its required fields, shows a failure and sends the typed values', async () => {
  const api = serve()
  await openScreen('/billing')
  await expectTexts(['Thousands of calls a month, with a custom contract and custom pricing.'])
  await press('Contact Sales')
  await expectTexts(
    ['Tell us what you need. We reply within 24 hours.', 'How many calls, in which countries, by when'],
    dialog(),
  )
  for (const label of ['Company Name', 'Contact Name', 'Email']) await expect.element(field(label)).toBeRequired()
  for (const label of ['Phone', 'Requirements']) await expect.element(field(label)).not.toBeRequired()
  await press('Submit Inquiry')
  expect(api.requests(creditsRoutes.enterprise)).toEqual([])
  await field('Company Name').fill('Trattoria Verde')
  await field('Contact Name').fill('Ada Ruiz')
  await field('Email').fill('ada@verde.example')
  await field('Phone').fill('+1 202 555 0100')
  await field('Requirements').fill('A thousand calls a week')
  lose(api, creditsRoutes.enterprise)
  await press('Submit Inquiry')
  await expectTexts(
    ['Submission Failed. Please try again or contact us directly at support@parley.example'],
    dialog().getByRole('alert'),
  )
  expect(await findingsInLooks()).toEqual([])
  api.answer(creditsRoutes.enterprise, { message: 'Thank you.' })
  const letGo = api.hold(creditsRoutes.enterprise)
  await press('Submit Inquiry')
  await expect.element(dialog().getByRole('button', { name: 'Submitting...' })).toHaveAttribute('aria-disabled', 'true')
  letGo()
  await expectTexts(['Inquiry sent', 'Thank you. We will get back to you within 24 hours.'], dialog())
  expect(bodiesOf(api.requests(creditsRoutes.enterprise)).at(-1)).toEqual({
    companyName: 'Trattoria Verde',
    contactName: 'Ada Ruiz',
    email: 'ada@verde.example',
    phone: '+1 202 555 0100',
    requirements: 'A thousand calls a week',
  })
  await dialog().getByRole('button', { name: 'Close' }).last().click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await press('Contact Sales')
  await expect.element(field('Company Name')).toHaveValue('')
})
