import { describe, expect, test } from 'vitest'
import { press } from '../../../../standalone/src/browser.ts'
import { until } from '../../../../standalone/src/world.ts'
import { dashboard, type Phones, tokenOn } from './phone.ts'
import { API, WWW } from './world.ts'

/** What the phone has besides the page: a back button, a network that goes, contacts, a lock. */
export function deviceJourneys({ signedIn }: Phones): void {
  describe('the phone itself', () => {
    test("Android's back closes a dialog, goes back, and leaves the app from its first page", async () => {
      const { phone } = await signedIn('android')
      const page = await phone.start()
      await page.waitForURL('**/dashboard')
      await page.goto(`${WWW}/contacts`)
      await page.getByRole('button', { name: 'Add Contact' }).first().click()
      const dialog = page.getByRole('dialog', { name: 'Add Contact' })
      await dialog.waitFor()
      phone.device.emit('App', 'backButton', { canGoBack: true })
      await dialog.waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).toBe('/contacts')
      phone.device.emit('App', 'backButton', { canGoBack: true })
      await dashboard(page).waitFor()
      phone.device.emit('App', 'backButton', { canGoBack: false })
      await until('the app to leave', async () => phone.device.asked('App', 'minimizeApp').length === 1)
    })

    test('a start without network says so and goes on when the network is back', async () => {
      const { phone } = await signedIn()
      await phone.start()
      await phone.page.context().route(`${API}/**`, (route) => route.abort())
      await phone.kill()
      const page = await phone.start()
      await page
        .getByText('We could not reach the server')
        .or(page.getByText(/connection|offline|server/i))
        .first()
        .waitFor()
      expect(tokenOn(phone)).toMatch(/^pst_/)
      await page.context().unroute(`${API}/**`)
      await page.goto(`${WWW}/dashboard`)
      await dashboard(page).waitFor()
    })

    test('a contact of the phone fills the form', async () => {
      const { phone } = await signedIn('android')
      phone.device.answer('CapacitorContacts', 'pickContacts', () => ({
        contacts: [{ id: '1', fullName: 'Trattoria Verde', phoneNumbers: [{ value: '+1 202 555 0100' }] }],
      }))
      const page = await phone.start()
      await dashboard(page).waitFor()
      await page.goto(`${WWW}/contacts`)
      await page.getByRole('button', { name: 'Add Contact' }).first().click()
      await press(page, 'Choose from your contacts')
      await until('the number', async () => (await page.getByLabel('Phone Number').inputValue()) === '+1 202 555 0100')
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Trattoria Verde')
    })

    test('the lock asks at the start, stays closed when refused and opens the app', async () => {
      const { phone } = await signedIn()
      const page = await phone.start()
      await dashboard(page).waitFor()
      await page.goto(`${WWW}/settings`)
      await page.getByRole('switch', { name: 'Lock this app' }).click()
      await until('the switch', () => page.getByRole('switch', { name: 'Lock this app', checked: true }).isVisible())
      await phone.kill()
      phone.device.unlocks = false
      const locked = await phone.start()
      await locked.getByText('That did not unlock the app. Please try again.').waitFor()
      expect(await locked.getByRole('navigation').count()).toBe(0)
      phone.device.unlocks = true
      await press(locked, 'Unlock')
      await locked.waitForURL('**/dashboard')
    })
  })
}
