import { expect, test } from 'vitest'
import { press } from '../../../../standalone/src/browser.ts'
import { until } from '../../../../standalone/src/world.ts'
import { dashboard, type Phones, statusOf } from './phone.ts'
import { WWW } from './world.ts'

const TOKEN = 'registration-token-of-the-phone'

interface Pushed {
  readonly token: string
  readonly data: Readonly<Record<string, string>>
}

/** From the switch to a tapped notification; `delivered`: what the push service was given so far. */
export function pushJourney({ world, signedIn }: Phones, delivered: () => readonly Pushed[]): void {
  test('notifications are switched on, come when a call ends, open it cold and warm, and end with the session', async () => {
    const { phone, person, token } = await signedIn('android')
    const { device } = phone
    device.answer('PushNotifications', 'register', () => {
      queueMicrotask(() => device.emit('PushNotifications', 'registration', { value: TOKEN }))
      return {}
    })
    const page = await phone.start()
    await dashboard(page).waitFor()
    await page.goto(`${WWW}/settings`)
    const added = page.waitForResponse((response) => response.url().endsWith('/api/devices'))
    await page.getByRole('switch', { name: 'Notifications on this phone' }).click()
    expect(await (await added).json()).toMatchObject({ reached: true })

    const { id } = await person.place('+12025550101')
    const pushed = await until('the notification', async () => delivered().find((each) => each.token === TOKEN))
    expect(pushed).toMatchObject({ notification: { title: 'Your call did not go through' }, data: { callId: id } })
    expect(JSON.stringify(pushed)).not.toContain('555')

    await phone.kill()
    const tapped = { notification: { data: pushed.data } }
    device.keep('PushNotifications', 'pushNotificationActionPerformed', tapped)
    const again = await phone.start()
    const call = again.getByRole('dialog').filter({ hasText: '202' })
    await call.first().waitFor()
    await again.getByRole('button', { name: 'Close' }).first().click()
    await call.first().waitFor({ state: 'detached' })
    device.emit('PushNotifications', 'pushNotificationActionPerformed', tapped)
    await call.first().waitFor()
    await again.getByRole('button', { name: 'Close' }).first().click()

    await press(again, 'Open the menu')
    await press(again, 'Sign Out')
    await again.getByRole('link', { name: 'Get Started for Free' }).waitFor()
    expect(await statusOf(world, token)).toBe(401)
    expect(device.asked('PushNotifications', 'unregister')).toHaveLength(1)
  })
}
