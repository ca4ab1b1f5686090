import { accountsRoutes, noticesRoutes, SETTINGS_DEFAULTS } from '@parley/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ADA, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { expectToast, HOOK } from './testing.tsx'

const TIMEZONES = [
  'UTC',
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Sydney',
]

const field = (label: string) => page.getByLabelText(label, { exact: true })

// screens.md: cards-somebody-new-their
test('a new account’s settings show all fields, options and defaults', async () => {
  serve({ ...ADA, timezone: 'UTC' })
  await openScreen('/settings')
  await expectTexts(['Profile Information', 'Call Defaults', 'Notifications', 'Security', 'Danger Zone'])
  await expect.element(field('Full Name')).toBeVisible()
  await expect.element(field('Company')).toBeVisible()
  for (const [label, type] of [
    ['Email Address', 'email'],
    ['Phone Number', 'tel'],
    ['Webhook URL', 'url'],
  ] as const)
    await expect.element(field(label)).toHaveAttribute('type', type)
  const profile = page.getByRole('button', { name: 'Save Profile' }).element().closest('form')
  expect(profile?.querySelectorAll('input').length).toBeGreaterThanOrEqual(4)
  expect(profile?.querySelectorAll(':required').length).toBe(0)
  const minutes = field('Max Call Duration (minutes)')
  await expect.element(minutes).toHaveValue(10)
  await expect.element(minutes).toHaveAttribute('min', '1')
  await expect.element(minutes).toHaveAttribute('max', '30')
  for (const name of ['Auto-detect language', 'Email Notifications'])
    await expect.element(page.getByRole('switch', { name })).toBeChecked()
  for (const name of ['Save Profile', 'Save Call Settings', 'Generate New', 'Delete Account'])
    await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible()
  expect(page.getByRole('button', { name: 'Sign Out' }).elements().length).toBeGreaterThanOrEqual(2)

  const zone = page.getByRole('combobox', { name: 'Timezone' })
  await expect.element(zone).toHaveTextContent('UTC')
  for (const [label, offered] of [
    ['Timezone', TIMEZONES],
    ['Default Tone', ['Friendly', 'Professional', 'Casual', 'Formal', 'Empathetic']],
    ['Default Voice', ['Default', 'Professional (Male)', 'Friendly (Female)', 'Authoritative (Male)', 'Warm (Female)']],
    [
      'Default Language',
      ['English', 'Spanish', 'French', 'German', 'Italian', 'Portuguese', 'Japanese', 'Korean', 'Chinese'],
    ],
  ] as const) {
    await page.getByRole('combobox', { name: label }).click()
    const options = page.getByRole('option')
    await expect.element(options.first()).toBeVisible()
    expect(options.elements().map((option) => option.textContent)).toEqual(offered)
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
  }
})

test('saving one setting shows settings changed elsewhere and the new webhook’s secret', async () => {
  const api = serve()
  const before = { ...SETTINGS_DEFAULTS, recordCalls: true, webhookUrl: `${HOOK}/first` }
  api.answer(accountsRoutes.getSettings, before)
  api.answer(noticesRoutes.webhook, { url: before.webhookUrl, secret: 'whsec_Zmlyc3Q=', events: [] })
  await openScreen('/settings')
  const recording = page.getByRole('switch', { name: 'Record calls' })
  await expect.element(recording).toBeChecked()
  await expect.element(field('Signing secret')).toHaveValue('whsec_Zmlyc3Q=')
  const change = { retentionDays: 30, webhookUrl: `${HOOK}/second` }
  const after = { ...before, ...change, recordCalls: false }
  api.answer(accountsRoutes.changeSettings, after)
  api.answer(accountsRoutes.getSettings, after)
  api.answer(noticesRoutes.webhook, { url: after.webhookUrl, secret: 'whsec_c2Vjb25k', events: [] })
  await page.getByLabelText('Keep calls for (days)').fill('30')
  await field('Webhook URL').fill(after.webhookUrl)
  await press('Save Call Settings')
  await expectToast('Settings Updated', 'Your settings have been saved successfully')
  expect(bodiesOf(api.requests(accountsRoutes.changeSettings))).toEqual([change])
  await expect.element(recording).not.toBeChecked()
  await expect.element(field('Signing secret')).toHaveValue('whsec_c2Vjb25k')
})
