import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { until } from '../../../../standalone/src/world.ts'
import { dashboard, mailedLink, PASSWORD, type Phones } from './phone.ts'
import { API, WWW } from './world.ts'

/** Links that open the app, and links that leave it. */
export function linkJourneys({ world, aPhone, signedIn }: Phones): void {
  describe('links into the app', () => {
    test('a mailed link verifies the address, in an app that was not running', async () => {
      const email = `link-${randomUUID()}@parley.example`
      const registered = await fetch(`${world.parley.url}/api/auth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: WWW, 'parley-shell': 'android' },
        body: JSON.stringify({ name: 'Ada Lovelace', email, password: PASSWORD }),
      })
      expect(registered.status).toBe(201)
      const phone = aPhone('android')
      const page = await phone.start(await mailedLink(world, email))
      await page.getByText('Email Verified!').waitFor()
    })

    test('a reset link opens its form in the running app', async () => {
      const phone = aPhone()
      const page = await phone.start()
      await page.getByRole('link', { name: 'Get Started for Free' }).waitFor()
      await phone.openLink(`${API}/reset-password?token=made-up`)
      await page.getByLabel('New password').waitFor()
      expect(new URL(page.url()).origin).toBe(WWW)
    })

    test("a call's link and a tapped notification open the call; a foreign link opens nothing", async () => {
      const { phone, person } = await signedIn()
      const { id } = await person.place('+12025550100')
      await person.ended(id)
      const page = await phone.start(`parley://calls/${id}`)
      const call = page.getByRole('dialog').filter({ hasText: '202' })
      await call.first().waitFor()
      await page.getByRole('button', { name: 'Close' }).first().click()
      await call.first().waitFor({ state: 'detached' })
      await phone.openLink('https://evil.example/settings')
      phone.device.emit('LocalNotifications', 'localNotificationActionPerformed', {
        notification: { extra: { callId: id } },
      })
      await call.first().waitFor()
      expect(new URL(page.url()).pathname).toBe('/dashboard')
    })

    test('a link to another site opens in the in-app browser', async () => {
      const { phone } = await signedIn()
      const page = await phone.start()
      await dashboard(page).waitFor()
      await page.locator('a[target=_blank]').first().click()
      const [opened] = await until('the in-app browser', async () => {
        const all = phone.device.asked('Browser', 'open')
        return all.length > 0 && all
      })
      expect(opened).toEqual({ url: 'https://parley.example/', toolbarColor: '#4CAF50' })
      expect(new URL(page.url()).origin).toBe(WWW)
    })
  })
}
