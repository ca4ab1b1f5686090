import { accountsRoutes, CALL_MINUTES_MAX, RETENTION_DAYS_MAX, SETTINGS_DEFAULTS } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { expectBusy, expectToast } from './testing.tsx'

const minutes = () => page.getByLabelText('Max Call Duration (minutes)')
const days = () => page.getByLabelText('Keep calls for (days)')

describe('call settings', () => {
  test('explain each field', async () => {
    serve()
    await openScreen('/settings')
    await expectTexts([
      'Call Defaults',
      'What a new call starts from. Each call can still differ.',
      'Detects the language from the phone number',
      'Keeps the call audio if the person called agrees',
      'Then transcripts, recordings and summaries are erased',
      'Saved together with the call settings.',
      'A mail when a call has ended, and notifications on phones with the app. Off: neither is sent.',
      'Receives real-time call updates',
    ])
    await expect.element(page.getByRole('switch', { name: 'Auto-detect language' })).toBeChecked()
    await expect.element(page.getByRole('switch', { name: 'Record calls' })).not.toBeChecked()
    await expect.element(page.getByLabelText('Webhook URL')).toHaveAttribute('placeholder', 'https://')
    await expect.element(minutes()).toHaveValue(SETTINGS_DEFAULTS.defaultMaxDurationMinutes)
  })

  test.each([
    [
      'Default Tone',
      'Professional',
      ['Friendly', 'Professional', 'Casual', 'Formal', 'Empathetic'],
      'Formal',
      { defaultTone: 'formal' },
    ],
    [
      'Default Voice',
      'Default',
      ['Default', 'Professional (Male)', 'Friendly (Female)', 'Authoritative (Male)', 'Warm (Female)'],
      'Warm (Female)',
      { defaultVoiceId: 'warm' },
    ],
    [
      'Default Language',
      'English',
      ['English', 'Spanish', 'French', 'German', 'Italian', 'Portuguese', 'Japanese', 'Korean', 'Chinese'],
      'Japanese',
      { defaultLanguage: 'ja' },
    ],
  ] as const)(
    '%s starts as %s, offers the other options and sends the chosen one',
    async (label, now, offered, chosen, sent) => {
      const api = serve()
      api.answer(accountsRoutes.changeSettings, { ...SETTINGS_DEFAULTS, ...sent })
      await openScreen('/settings')
      const choice = page.getByRole('combobox', { name: label })
      await expect.element(choice).toHaveTextContent(now)
      await choice.click()
      for (const name of offered) await expect.element(page.getByRole('option', { name, exact: true })).toBeVisible()
      await page.getByRole('option', { name: chosen, exact: true }).click()
      await press('Save Call Settings')
      await expectToast('Settings Updated', 'Your settings have been saved successfully')
      await expect.element(choice).toHaveTextContent(chosen)
      expect(bodiesOf(api.requests(accountsRoutes.changeSettings))).toEqual([sent])
    },
  )

  test('are sent together and then show the server’s values', async () => {
    const api = serve()
    const change = {
      defaultMaxDurationMinutes: 7,
      autoDetectLanguage: false,
      emailNotifications: false,
      recordCalls: true,
      retentionDays: 30,
      webhookUrl: null,
    }
    api.answer(accountsRoutes.changeSettings, { ...SETTINGS_DEFAULTS, ...change })
    await openScreen('/settings')
    await minutes().fill('7')
    await days().fill('30')
    for (const name of ['Auto-detect language', 'Record calls', 'Email Notifications'])
      await page.getByRole('switch', { name }).click()
    const answer = api.hold(accountsRoutes.changeSettings)
    await press('Save Call Settings')
    await expectBusy('Saving...')
    answer()
    await expectToast('Settings Updated', 'Your settings have been saved successfully')
    const { webhookUrl: _, ...sent } = change
    expect(bodiesOf(api.requests(accountsRoutes.changeSettings))).toEqual([sent])
    await expect.element(minutes()).toHaveValue(7)
    await expect.element(page.getByRole('switch', { name: 'Record calls' })).toBeChecked()
    await expect.element(page.getByRole('switch', { name: 'Email Notifications' })).not.toBeChecked()
  })

  // screens.md: refused-say-stay-typed
  test.each([
    ['an empty response', 'Failed to update settings.', ''],
    [
      'a message',
      'Please try again later.',
      JSON.stringify({ code: 'rate_limited', message: 'Please try again later.' }),
    ],
  ])('refused with %s, show "%s" and keep the typed values', async (_, sentence, body) => {
    const api = serve()
    api.send(accountsRoutes.changeSettings, body, { status: 429 })
    await openScreen('/settings')
    await minutes().fill('7')
    await press('Save Call Settings')
    await expectToast('Error', sentence)
    await expect.element(minutes()).toHaveValue(7)
  })

  // screens.md: duration-bounds
  test.each([
    ['Max Call Duration (minutes)', '', 'Please fill in all required fields.'],
    ['Max Call Duration (minutes)', '31', `Enter a number from 1 to ${CALL_MINUTES_MAX}.`],
    ['Max Call Duration (minutes)', '0', `Enter a number from 1 to ${CALL_MINUTES_MAX}.`],
    ['Keep calls for (days)', '', 'Please fill in all required fields.'],
    ['Keep calls for (days)', '4000', `Enter a number from 1 to ${RETENTION_DAYS_MAX}.`],
    ['Webhook URL', 'my own program', 'Enter a whole web address, such as https://example.com'],
  ])('invalid %s "%s" is shown at its field and not sent', async (label, text, sentence) => {
    const api = serve()
    await openScreen('/settings')
    const field = page.getByLabelText(label)
    await field.fill(text)
    await press('Save Call Settings')
    await expectTexts([sentence])
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveAccessibleDescription(new RegExp(sentence.replaceAll('.', '\\.')))
    expect(api.requests(accountsRoutes.changeSettings)).toEqual([])
  })
})

/** Stubs the browser's notification permission. */
function browserThatSaid(permission: NotificationPermission, then: NotificationPermission = permission) {
  const browser = { permission, asked: 0 }
  const requestPermission = async () => {
    browser.asked++
    browser.permission = then
    return Promise.resolve(then)
  }
  vi.stubGlobal(
    'Notification',
    class {
      static get permission() {
        return browser.permission
      }
      static readonly requestPermission = requestPermission
    },
  )
  return browser
}

describe('browser notifications', () => {
  const notices = () => page.getByRole('switch', { name: 'Notifications in this browser' })

  test('are off until switched on, which asks the browser for permission', async () => {
    const browser = browserThatSaid('default', 'granted')
    serve()
    await openScreen('/settings')
    await expect.element(notices()).not.toBeChecked()
    await expectTexts(['When a call ends or has a question, and you are looking elsewhere.'])
    expect(browser.asked).toBe(0)
    await notices().click()
    await expect.element(notices()).toBeChecked()
    expect(browser.asked).toBe(1)
    await notices().click()
    await expect.element(notices()).not.toBeChecked()
    vi.unstubAllGlobals()
  })

  test('cannot be switched on when the browser denies permission', async () => {
    browserThatSaid('denied')
    serve()
    await openScreen('/settings')
    await expect.element(notices()).toBeDisabled()
    await expectTexts(['Notifications are blocked. Allow them for this site in your browser settings.'])
    expect(await axeFindings()).toEqual([])
    vi.unstubAllGlobals()
  })
})
