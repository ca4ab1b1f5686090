import { expect, test } from 'vitest'
import { agreed, press, visitAs } from '../../../standalone/src/browser.ts'
import { openParley } from '../testing.ts'
import { signUp, until } from '../../../standalone/src/world.ts'

// The only journey with the calling-hours rule on.

const { parley, browser } = await openParley({ CALLING_HOURS: 'on', SANDBOX_SPEED: '20' })

/** Time zones far enough apart that it is always deep night in one of them. */
const PLACES = [
  ['America/New_York', '+1 202 555 0101'],
  ['Pacific/Honolulu', '+1 808 555 0101'],
  ['Pacific/Guam', '+1 671 555 0101'],
  ['America/Los_Angeles', '+1 415 555 0101'],
  ['Europe/London', '+44 20 7946 0018'],
] as const
const hourIn = (timeZone: string) =>
  Number(new Date().toLocaleString('en-GB', { timeZone, hour: '2-digit', hourCycle: 'h23' }))
/** Distance in hours from 02:00, around the clock. */
const fromDeepOfNight = (hour: number) => Math.min(Math.abs(hour - 2), 24 - Math.abs(hour - 2))
const [zone, phone] = PLACES.toSorted(([a], [b]) => fromDeepOfNight(hourIn(a)) - fromDeepOfNight(hourIn(b)))[0]!

test('outside calling hours a batch waits; a single call is placed after confirmation', async () => {
  const person = await signUp(parley.url, 'night@parley.example')
  const { page, complaints } = await visitAs(browser, parley.url, person)
  const list = `phone,timezone\n+12025550100,${zone}\n+12025550101,${zone}\n`
  await page.goto('/make-call?tab=batch')
  await page.setInputFiles('input[type=file]', { name: 'night.csv', mimeType: 'text/csv', buffer: Buffer.from(list) })
  await page.getByText('2 contacts can be called').waitFor()
  await page.getByLabel('Purpose').fill('Ask about lunch')
  await agreed(page)
  await page.getByText(/^It is outside calling hours for every contact\. The first call is made at /).waitFor()
  await press(page, 'Start 2 Calls')
  const waiting = page.getByText(/It goes on by itself\. The next call is made at /)
  await waiting.waitFor({ timeout: 40_000 })
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0)
  const [batch] = await person.get<{ goesOnAt: string }[]>(`/api/user/${person.user.id}/batch-calls`)
  expect(Date.parse(batch?.goesOnAt ?? '')).toBeGreaterThan(Date.now())
  await press(page, 'Pause')
  await press(page, 'Resume')
  await until('it to wait for the hours again', async () => (await waiting.count()) === 1)

  await page.goto('/make-call')
  await page.getByLabel('Phone Number').fill(phone)
  await page.getByLabel('Purpose').fill('Ask about lunch')
  await press(page, 'Start Call')
  const question = page.getByRole('alertdialog', { name: 'Call at this hour?' })
  await question.getByText(/calls are made from 08:00 to 21:00/).waitFor()
  expect(await person.get(`/api/user/${person.user.id}/calls`)).toEqual([])
  await press(page, 'Call anyway')
  await page.getByRole('dialog', { name: `Call to ${phone}` }).waitFor()
  expect(complaints).toEqual([])
})
