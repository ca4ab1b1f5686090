import { readFile } from 'node:fs/promises'
import type { CallDetails, CallTemplate, Turn } from '@parley/contract'
import type { Locator, Page, WebSocketRoute } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, expectText, findingsInLooks, LOOKS, NARROW, picture, press, SEEN, visitAs, WIDE } from './browser.ts'
import { openParley } from './screens/testing.ts'
import { type Person, signUp, until } from './world.ts'

const { parley, browser } = await openParley({ SANDBOX_SPEED: '4' })

const READY = [
  'Negotiate a hotel stay',
  'Run a short survey',
  'Call a friend or relative',
  'Find business leads',
  'Amend a booking',
  'Send a reminder',
  'Reserve a table',
]
const templatesOf = (person: Person) => person.get<CallTemplate[]>(`/api/user/${person.user.id}/call-templates`)
const detailsOf = (person: Person, id: string) => person.get<CallDetails>(`/api/calls/${id}`)

async function widerBy(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

describe('templates', () => {
  let person: Person
  beforeAll(async () => {
    person = await signUp(parley.url, 'templates@parley.example')
  })

  test('everything that the landing page advertises is a ready order; what it leaves open must be filled in', async () => {
    // Somebody else: while a call holds credits, the next one is proposed shorter.
    const caller = await signUp(parley.url, 'ready@parley.example')
    const { page, complaints } = await visitAs(browser, parley.url, caller)
    await page.goto('/make-call')
    const ready = page.getByRole('region', { name: 'Ready to use' })
    for (const name of READY) await ready.getByRole('button', { name }).waitFor()
    await page.getByLabel('Phone Number').fill('+1 202 555 0100')
    await ready.getByRole('button', { name: 'Reserve a table' }).click()
    const purpose = page.getByLabel('Purpose')
    expect(await purpose.inputValue()).toBe('Reserve a table for [number of people] on [day and time], in the name of [name].')
    expect(await page.getByLabel('Phone Number').inputValue()).toBe('+1 202 555 0100')
    // The first thing to fill in is selected: typing replaces it.
    await expect.poll(() => page.evaluate(() => getSelection()?.toString()), SEEN).toBe('[number of people]')
    await page.keyboard.type('four')
    expect(await purpose.inputValue()).toContain('Reserve a table for four on [day and time]')
    await press(page, 'Start Call')
    await expectText(page, 'Fill in what stands in brackets: [day and time], [name]')
    await purpose.fill('Reserve a table for four on Friday at 7 pm, in the name of Ruiz.')
    await press(page, 'Remove objective: A table on [day and time]')
    const placed = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/calls'))
    await press(page, 'Start Call')
    expect((await placed).postDataJSON()).toMatchObject({
      objectives: ['There are vegetarian dishes'],
      tone: 'friendly',
      callee: '+1 202 555 0100',
    })
    expect(complaints).toEqual([])
  }, 90_000)

  test('an order is kept under a name, found beside the form, renamed, used and deleted', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/make-call')
    await press(page, 'Save as template')
    await expectText(page, 'Please fill in all required fields.')
    await page.getByLabel('Purpose').fill('Ask whether the parcel has arrived. It is blue.')
    await page.getByLabel('Objectives').fill('It has arrived')
    await page.getByLabel('Context').fill('{"parcel": 7}')
    await press(page, 'Save as template')
    const dialog = page.getByRole('dialog', { name: 'Save as template' })
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Ask whether the parcel has arrived')
    await dialog.getByLabel('Name').fill(' ')
    await press(page, 'Save')
    await expectText(page, 'Please give the template a name.')
    await dialog.getByLabel('Name').fill('Parcels')
    await press(page, 'Save')
    await expectText(page, 'Template saved')
    expect(await templatesOf(person)).toMatchObject([
      { name: 'Parcels', objectives: ['It has arrived'], tone: 'professional', maxDurationMinutes: 5, context: { parcel: 7 } },
    ])

    await press(page, 'Save as template')
    await dialog.getByLabel('Name').fill('PARCELS')
    await press(page, 'Save')
    await expectText(page, 'You already have a template named “PARCELS”.')
    await press(page, 'Cancel')
    await press(page, 'Rename Parcels')
    await page.getByRole('dialog', { name: 'Rename template' }).getByLabel('Name').fill('Blue parcels')
    await press(page, 'Save')
    await expectText(page, 'Template renamed')
    await page.reload()
    await page.getByRole('button', { name: /^Blue parcels/ }).click()
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Ask whether the parcel has arrived. It is blue.')
    expect(JSON.parse(await page.getByLabel('Context').inputValue())).toEqual({ parcel: 7 })

    // The dashboard's form starts from it as well, in a panel.
    await page.goto('/dashboard')
    await press(page, 'Start from a template')
    await page
      .getByRole('dialog', { name: 'Templates' })
      .getByRole('button', { name: /^Blue parcels/ })
      .click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.getByLabel('Purpose').inputValue(), SEEN).toBe('Ask whether the parcel has arrived. It is blue.')
    await expect.poll(() => page.getByLabel('Purpose').evaluate((field) => field === document.activeElement), SEEN).toBe(true)

    await page.goto('/make-call')
    await press(page, 'Delete Blue parcels')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await expectText(page, 'None yet. What you save as a template waits here.')
    expect(await templatesOf(person)).toEqual([])
    expect(complaints).toEqual([])
  }, 120_000)
})

describe('the details of a call', () => {
  let person: Person
  let call: CallDetails

  beforeAll(async () => {
    person = await signUp(parley.url, 'details@parley.example')
    await person.send('PATCH', `/api/user/${person.user.id}/settings`, { recordCalls: true })
    await person.send('POST', '/api/call-templates', { name: 'Tables', purpose: 'Book a table for two', tone: 'formal' })
    const { id } = await person.place('+12025550100', {
      objectives: ['A table at 7 pm', 'Vegetarian menu'],
      maxDurationMinutes: 3,
      context: { name: 'Ruiz' },
      tone: 'formal',
    })
    call = await until(
      'the recording and the outcome',
      async () => {
        const details = await detailsOf(person, id)
        return details.hasRecording && details.outcomes.length === 2 && details.summary !== null && details
      },
      90_000,
    )
  }, 120_000)

  async function openDetails(page: Page): Promise<Locator> {
    await page.goto('/call-history')
    await page
      .getByRole('button', { name: /^View the call to/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await dialog.getByRole('tab', { name: 'Transcript' }).waitFor()
    return dialog
  }

  test('begin with the outcomes, whose quoted lines lead to their place in the words and the recording', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    const dialog = await openDetails(page)
    await dialog.getByText('Both objectives met').waitFor()
    const quoted = call.outcomes.find(({ turn }) => turn !== null)!
    const turn = call.turns.find(({ index }) => index === quoted.turn)!
    await dialog.getByRole('tab', { name: 'Details', exact: true }).click()
    for (const text of ['Formal', 'Book a table for two']) await dialog.getByText(text, { exact: true }).waitFor()
    await dialog.getByTitle('Show this line in the transcript').first().click()
    const said = dialog.getByRole('tabpanel').getByText(turn.text).first()
    await until('the line to be in view', async () => said.isVisible())
    const audio = dialog.locator('audio')
    await until(
      'the recording to stand there',
      async () => (await audio.evaluate((each: HTMLAudioElement) => each.currentTime)) === turn.startMs / 1000,
    )
    // Moved away, the same line leads there again.
    await audio.evaluate((each: HTMLAudioElement) => void (each.currentTime = 0))
    await dialog.getByTitle('Show this line in the transcript').first().click()
    await until(
      'the recording to stand there again',
      async () => (await audio.evaluate((each: HTMLAudioElement) => each.currentTime)) === turn.startMs / 1000,
    )
    await dialog.getByRole('tab', { name: 'Summary', exact: true }).click()
    await dialog.getByText(call.summary!).waitFor()
    for (const step of call.nextSteps) await dialog.getByText(step).waitFor()
    expect(complaints).toEqual([])
  }, 60_000)

  test('are taken along as text and as JSON', async () => {
    const { page } = await visitAs(browser, parley.url, person)
    const dialog = await openDetails(page)
    const save = async (name: string) => {
      const download = page.waitForEvent('download')
      await dialog.getByRole('button', { name }).click()
      const file = await download
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
    }
    const date = new Date(call.createdAt).toLocaleDateString('en-CA')
    const text = await save('Download transcript')
    expect(text.name).toBe(`transcript-${call.callee}-${date}.txt`)
    expect(text.text).toMatch(/^Call Transcript\nCallee: \+1 202 555 0100\nDate: .+\nDuration: \d+m \d+s\nStatus: completed\n\nAgent: /)
    expect(text.text).toContain('\nCallee: ')
    expect(text.text).not.toContain('\nUser: ')
    const json = await save('Download as JSON')
    expect(json.name).toBe(`call-${call.callee}-${date}.json`)
    expect(JSON.parse(json.text)).toEqual(await detailsOf(person, call.id))
  }, 60_000)

  test('lead to the same call again, to one with changes, and to a template', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    const dialog = await openDetails(page)
    await press(page, 'Save as template')
    await page.getByRole('dialog', { name: 'Save as template' }).getByLabel('Name').fill('Dinners')
    await press(page, 'Save')
    await expectText(page, 'Template saved')
    const saved = { name: 'Dinners', purpose: call.purpose, tone: 'formal', context: { name: 'Ruiz' } }
    expect(await templatesOf(person)).toMatchObject([saved, { name: 'Tables' }])

    await dialog.getByRole('link', { name: 'Call again with changes' }).click()
    await page.getByRole('heading', { name: 'Make Call' }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    // The address says which call it begins with: the page may be loaded again.
    await page.reload()
    await page.getByRole('button', { name: 'Remove objective: Vegetarian menu' }).waitFor()
    expect(await page.getByLabel('Phone Number').inputValue()).toBe(call.callee)
    expect(await page.getByLabel('Max Duration (minutes)').inputValue()).toBe('3')
    expect(await page.getByLabel('Tone').textContent()).toBe('Formal')
    expect(JSON.parse(await page.getByLabel('Context').inputValue())).toEqual({ name: 'Ruiz' })

    await openDetails(page)
    const placed = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/calls'))
    await press(page, 'Call again')
    const again = (await (await placed).json()) as CallDetails
    expect(again).toMatchObject({
      callee: call.callee,
      purpose: call.purpose,
      objectives: call.objectives,
      tone: 'formal',
      context: { name: 'Ruiz' },
    })
    // It opens by itself. Its words stand there while it runs and when it is over, as it soon is by itself.
    const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })
    await view.getByText('AI assistant').first().waitFor()
    await person.send('PATCH', `/api/calls/${again.id}`, { action: 'stop' })
    await person.ended(again.id)
    expect(complaints).toEqual([])
  }, 120_000)

  test.each([
    ['wide', WIDE],
    ['narrow', NARROW],
  ])(
    'and the templates look right: %s',
    async (_, viewport) => {
      const { page } = await visitAs(browser, parley.url, person, { viewport })
      const looks = LOOKS.filter(([, each]) => each === viewport)
      const findings: string[] = []
      const inspect = async (name: string) => findings.push(...(await findingsInLooks(page, name, { looks, fullPage: false })))
      const dialog = await openDetailsOnAny(page, viewport)
      await dialog.getByRole('tab', { name: 'Summary', exact: true }).click()
      await inspect('call-details-summary')
      await dialog.getByRole('tab', { name: 'Transcript', exact: true }).click()
      await inspect('call-details')
      await page.goto('/make-call')
      if (viewport === NARROW) await press(page, 'Start from a template')
      await page.getByRole('region', { name: 'Ready to use' }).getByRole('button', { name: 'Send a reminder' }).waitFor()
      await page.getByRole('button', { name: /^Tables/ }).waitFor()
      await inspect('templates')
      if (viewport === NARROW) await page.keyboard.press('Escape')
      await page.getByLabel('Purpose').fill('Ask')
      await press(page, 'Save as template')
      await page.getByRole('dialog', { name: 'Save as template' }).waitFor()
      await inspect('template-save')
      expect(findings).toEqual([])
    },
    120_000,
  )

  async function openDetailsOnAny(page: Page, viewport: typeof WIDE): Promise<Locator> {
    if (viewport === WIDE) return openDetails(page)
    await page.goto('/call-history')
    // The oldest call is the one with words and a recording.
    await page
      .getByRole('button', { name: /^View the call to/ })
      .last()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await dialog.getByRole('tab', { name: 'Transcript' }).waitFor()
    return dialog
  }
})

describe('the live call', () => {
  /** The page's live line, which the test may cut. */
  async function cuttable(page: Page) {
    const lines: WebSocketRoute[] = []
    const line = { isCut: false, cut: () => Promise.resolve() }
    await page.routeWebSocket(/\/ws\?userId=/, (socket) => {
      if (line.isCut) return void socket.close({ code: 4000 })
      lines.push(socket)
      socket.connectToServer()
    })
    line.cut = async () => {
      line.isCut = true
      await Promise.all(lines.splice(0).map((socket) => socket.close({ code: 4000 })))
    }
    return line
  }

  async function begin(email: string) {
    const person = await signUp(parley.url, email)
    const { page, complaints } = await visitAs(browser, parley.url, person)
    const line = await cuttable(page)
    await page.goto('/dashboard')
    await page.getByLabel('Phone number').fill('+1 202 555 0111')
    await page.getByLabel('Purpose').fill('Ask about the opening hours')
    await page.getByLabel('Max duration').fill('10')
    await press(page, 'Start Call')
    await page.getByRole('log').getByText('AI assistant').waitFor()
    const [live] = await person.get<CallDetails[]>(`/api/user/${person.user.id}/calls/active`)
    return { person, page, complaints, line, id: live!.id }
  }

  const finished = ({ turns }: CallDetails): Turn[] => turns.filter(({ endMs }) => endMs !== null)

  /** The words of finished turns stand on the page, in their order. Who talks on and on comes round to what was said before. */
  async function expectWords(page: Page, turns: readonly Turn[]): Promise<void> {
    await until('every word', async () => {
      const shown = await page.getByRole('log').innerText()
      let from = 0
      return turns.every(({ text }) => {
        from = shown.indexOf(text, from) + text.length
        return from >= text.length
      })
    })
  }

  test('goes on without its line, loses no word, and is there again after the page was loaded anew', async () => {
    const { person, page, complaints, line, id } = await begin('dropped@parley.example')
    await line.cut()
    await page.getByText('The connection is gone. The call goes on; the missing words will be here when it is back.').waitFor()
    const before = finished(await detailsOf(person, id)).length
    const missed = await until(
      'words that the page does not hear',
      async () => {
        const now = finished(await detailsOf(person, id))
        return now.length >= before + 3 && now
      },
      60_000,
    )
    // At most one turn of each side was under way when the line was cut; the third since then is not here.
    expect(await page.getByRole('log').locator('li').count()).toBeLessThan(missed.length)
    line.isCut = false
    await page.getByText('The connection is gone.').waitFor({ state: 'detached', timeout: 30_000 })
    await expectWords(page, missed)

    await page.reload()
    await page.getByRole('dialog', { name: 'Call to +1 202 555 0111' }).waitFor()
    await expectWords(page, finished(await detailsOf(person, id)))
    await press(page, 'Stop')
    await person.ended(id, 20_000)
    const all = (await detailsOf(person, id)).turns.filter(({ text }) => text !== '')
    await page.getByRole('heading', { name: 'Transcript' }).waitFor()
    await until('every word of the record', async () => {
      const words = await page.getByRole('dialog').innerText()
      return all.every(({ text }) => words.includes(text))
    })
    expect(complaints).toEqual([])
  }, 180_000)

  test('is reached from every screen while it runs; it is steered, timed, and stopped', async () => {
    const { person, page, complaints, id } = await begin('everywhere@parley.example')
    const view = page.getByRole('dialog', { name: 'Call to +1 202 555 0111' })
    const clock = view.getByText(/^\d\d:\d\d \/ 10:00$/)
    const first = await clock.innerText()
    await until('the clock to run', async () => (await clock.innerText()) !== first)
    await view.getByText(/^\d+ credits?$/).waitFor()
    await view.getByLabel('Tell the agent…').fill('Ask about Sundays too')
    await page.keyboard.press('Enter')
    await view.getByText('Ask about Sundays too').first().waitFor()
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'live-call-steered-wide', false)
    await press(page, 'Leave the call running and close this view')
    for (const path of ['/contacts', '/settings', '/billing']) {
      await page.goto(path)
      const bar = page.getByRole('complementary', { name: 'Calls running' })
      await bar.getByText('+1 202 555 0111').waitFor()
      await bar.getByRole('button').click()
      await view.waitFor()
      await view.getByRole('button', { name: 'Leave the call running and close this view' }).click()
    }
    // What it holds is not spent, and is not called so.
    await page.goto('/make-call')
    await page.getByText('All your 10 credits are reserved by calls in progress. What they do not use comes back when they end.').waitFor()
    expect(await page.getByRole('region', { name: 'Low balance' }).count()).toBe(0)
    await page.setViewportSize(NARROW)
    await page.getByRole('complementary', { name: 'Calls running' }).getByRole('button').click()
    await view.getByRole('button', { name: 'Objectives', exact: true }).click()
    expect(await axeFindings(page)).toEqual([])
    expect(await widerBy(page)).toBe(0)
    await picture(page, 'live-call-steered-narrow', false)
    await press(page, 'Stop')
    expect(await person.ended(id, 20_000)).toMatchObject({ endReason: 'stopped' })
    expect(complaints).toEqual([])
  }, 180_000)
})
