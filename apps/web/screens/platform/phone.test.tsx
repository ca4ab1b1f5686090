import { contactsRoutes, shellsRoutes } from '@parley/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { Device } from '../device.ts'
import { enterShell, leaveShell } from '../shell.ts'
import { expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'

// What only a phone shows.

afterEach(leaveShell)

async function aPhone(prepare: (device: Device) => void = () => undefined) {
  const api = serve()
  api.answer(shellsRoutes.createTicket, () => ({ ticket: 't', expiresAt: new Date().toISOString() }))
  const device = new Device('android')
  prepare(device)
  await enterShell(device)
  return { api, device }
}

describe('app lock', () => {
  const lock = () => page.getByRole('switch', { name: 'Lock this app' })
  const HINT = 'Asks for your face, fingerprint or passcode when you open the app, and after a minute away from it.'

  // screens.md: lock-is-switched-by-unlocking
  test('is turned on and off by unlocking; who cannot unlock changes nothing', async () => {
    const { device } = await aPhone()
    await openScreen('/settings')
    await expectTexts(['App lock', 'For this phone only.', HINT])
    device.unlocks = false
    await lock().click()
    await expect.poll(() => device.asked('BiometricAuthNative', 'internalAuthenticate').length).toBe(1)
    await expect.element(lock()).not.toBeChecked()
    device.unlocks = true
    await lock().click()
    await expect.element(lock()).toBeChecked()
    expect(device.asked('BiometricAuthNative', 'internalAuthenticate').at(-1)).toMatchObject({
      reason: 'Unlock Parley',
    })
    await lock().click()
    await expect.element(lock()).not.toBeChecked()
  })

  test('needs a phone with a screen lock', async () => {
    await aPhone((device) =>
      device.answer('BiometricAuthNative', 'checkBiometry', () => ({ isAvailable: false, deviceIsSecure: false })),
    )
    await openScreen('/settings')
    await expectTexts(['Set up a screen lock on your phone first.'])
    await expect.element(lock()).toBeDisabled()
  })

  // screens.md: locked-app-shows-nothing
  test('shows nothing of the page until it is unlocked', async () => {
    const { device } = await aPhone()
    localStorage.setItem('parley.lock', 'on')
    device.unlocks = false
    await openScreen('/contacts')
    await expectTexts(['Parley is locked', 'That did not unlock the app. Please try again.'])
    await expect.element(page.getByRole('heading', { name: 'Contacts' })).not.toBeInTheDocument()
    expect(await findingsInLooks()).toEqual([])
    device.unlocks = true
    await press('Unlock')
    await expect.element(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
  })
})

describe("the phone's contacts", () => {
  const CHOSEN = {
    contacts: [
      {
        id: '1',
        fullName: 'Trattoria Verde',
        organizationName: 'Verde',
        phoneNumbers: [{ value: '+1 202 555 0100' }],
        emailAddresses: [{ value: 'ada@verde.example' }],
      },
    ],
  }

  // screens.md: phone-contact-fills-form
  test('fill the form of a new contact, and the number of a call', async () => {
    const { api } = await aPhone((device) => device.answer('CapacitorContacts', 'pickContacts', () => CHOSEN))
    api.answer(contactsRoutes.list, [])
    await openScreen('/contacts')
    await page.getByRole('button', { name: 'Add Contact' }).first().click()
    await press('Choose from your contacts')
    for (const [label, value] of [
      ['Name', 'Trattoria Verde'],
      ['Phone Number', '+1 202 555 0100'],
      ['Email', 'ada@verde.example'],
      ['Company', 'Verde'],
    ] as const)
      await expect.element(page.getByRole('dialog').getByLabelText(new RegExp(`^${label}`))).toHaveValue(value)
    await openScreen('/make-call')
    await press('Choose from your contacts')
    await expect.element(page.getByLabelText('Phone Number')).toHaveValue('+1 202 555 0100')
  })

  test('that may not be read say where to allow it', async () => {
    await aPhone((device) =>
      device.answer('CapacitorContacts', 'pickContacts', () => {
        throw new Error('Permission denied')
      }),
    )
    await openScreen('/make-call')
    await press('Choose from your contacts')
    await expectTexts(['Your contacts could not be opened. Allow access in the settings of your phone.'])
  })

  test('are not offered in a browser', async () => {
    serve()
    await openScreen('/make-call')
    await expect.element(page.getByLabelText('Phone Number')).toBeVisible()
    expect(page.getByRole('button', { name: 'Choose from your contacts' }).elements()).toEqual([])
  })
})

test('notifications are of the phone, and so is their denial', async () => {
  const { device } = await aPhone()
  await openScreen('/settings')
  await expectTexts(['A notification on this phone, when you are looking elsewhere.'])
  await page.getByRole('switch', { name: 'Tell me when a call ends' }).click()
  await expect.element(page.getByRole('switch', { name: 'Tell me when a call ends' })).toBeChecked()
  expect(device.notifications).toBe('granted')
  leaveShell()
  await aPhone((each) => (each.notifications = 'denied'))
  await openScreen('/settings')
  await expectTexts(['Notifications are blocked. Allow them for this app in the settings of your phone.'])
})
