import { callsRoutes, contactsRoutes, devicesRoutes, shellsRoutes } from '@parley/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { Device } from '../device.ts'
import { enterShell, leaveShell } from '../shell.ts'
import { answerCalls } from '../calls/testing.tsx'
import { aCall, bodiesOf, expectTexts, findingsInLooks, listed, openScreen, press, serve } from '../testing.tsx'

// What only a phone shows.

afterEach(leaveShell)

async function aPhone(prepare: (device: Device) => void = () => undefined, ...services: string[]) {
  const api = serve()
  api.answer(shellsRoutes.createTicket, () => ({ ticket: 't', expiresAt: new Date().toISOString() }))
  const device = new Device('android')
  prepare(device)
  await enterShell(device, undefined, services)
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

  test('comes back after a minute in the background, and not before', async () => {
    let nowMs = 1_000_000
    vi.spyOn(Date, 'now').mockImplementation(() => nowMs)
    const { device } = await aPhone()
    localStorage.setItem('parley.lock', 'on')
    await openScreen('/contacts')
    await expect.element(page.getByRole('heading', { name: 'Contacts', level: 1 })).toBeVisible()
    const leaveFor = (awayMs: number) => {
      device.emit('App', 'appStateChange', { isActive: false })
      nowMs += awayMs
      device.emit('App', 'appStateChange', { isActive: true })
    }
    const unlocks = () => device.asked('BiometricAuthNative', 'internalAuthenticate').length
    device.unlocks = false
    leaveFor(59_000)
    expect(unlocks()).toBe(1)
    leaveFor(60_000)
    await expectTexts(['Parley is locked', 'That did not unlock the app. Please try again.'])
    await expect.element(page.getByRole('heading', { name: 'Contacts' })).not.toBeInTheDocument()
    vi.restoreAllMocks()
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

describe('notifications on the phone', () => {
  const notices = () => page.getByRole('switch', { name: 'Notifications on this phone' })
  const ALWAYS = 'When a call ends or has a question, and you are looking elsewhere.'
  const RUNNING = 'They come while the app is running. This server sends none to an app that was closed.'
  const BLOCKED = 'Notifications are blocked. Allow them for this app in the settings of your phone.'

  /** A phone of a signed-in user whose api has these keys, or none. */
  async function pushed(reached: boolean, prepare: (device: Device) => void = () => undefined) {
    const { api, device } = await aPhone((each) => {
      each.secure.set('parley_session', 'pst_1')
      each.answer('PushNotifications', 'register', () => {
        queueMicrotask(() => each.emit('PushNotifications', 'registration', { value: 'token-of-the-phone' }))
        return {}
      })
      prepare(each)
    }, 'android')
    api.answer(devicesRoutes.add, { id: 'device-1', reached })
    api.answer(devicesRoutes.remove, { message: 'Removed.' })
    return { api, device }
  }

  test('are asked for by the switch alone, reach a closed app, and stop with the switch', async () => {
    const { api, device } = await pushed(true)
    await openScreen('/settings')
    await expect.element(notices()).not.toBeChecked()
    expect(device.asked('LocalNotifications', 'requestPermissions')).toEqual([])
    await notices().click()
    await expect.element(notices()).toBeChecked()
    await expect
      .poll(() => bodiesOf(api.requests(devicesRoutes.add)))
      .toEqual([{ platform: 'android', token: 'token-of-the-phone', language: 'en' }])
    await expectTexts([ALWAYS])
    await notices().click()
    await expect.element(notices()).not.toBeChecked()
    await expect.poll(() => api.requests(devicesRoutes.remove)).toHaveLength(1)
    expect(device.asked('PushNotifications', 'unregister')).toHaveLength(1)
  })

  test('say that they need a running app on a server without keys', async () => {
    await pushed(false)
    await openScreen('/settings')
    await notices().click()
    await expectTexts([RUNNING])
    await expect.element(notices()).toBeChecked()
    expect(await findingsInLooks()).toEqual([])
  })

  test('say the same where the app was built without a push service', async () => {
    const { device } = await aPhone((each) => (each.notifications = 'granted'))
    await openScreen('/settings')
    await expectTexts([RUNNING])
    expect(device.asked('PushNotifications', 'register')).toEqual([])
  })

  test('that were denied say where to allow them', async () => {
    await aPhone((each) => (each.notifications = 'denied'))
    await openScreen('/settings')
    await expectTexts([BLOCKED])
    await expect.element(notices()).toBeDisabled()
    expect(await findingsInLooks()).toEqual([])
  })

  test('are not asked for by a first call', async () => {
    const { api, device } = await aPhone()
    api.answer(callsRoutes.place, listed(aCall({ status: 'initiated' })))
    answerCalls(api, () => [aCall({ status: 'initiated', completedAt: null })])
    await openScreen('/make-call')
    await page.getByLabelText('Phone Number').fill('+1 202 555 0100')
    await page.getByLabelText('Purpose').fill('Book a table')
    await press('Start Call')
    await expect.poll(() => api.requests(callsRoutes.place)).toHaveLength(1)
    expect(device.asked('LocalNotifications', 'requestPermissions')).toEqual([])
  })
})
