import type { CallDetails } from '@parley/contract'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeFindings, expectText, NARROW, picture, SEEN, visitAs, WIDE } from './browser.ts'
import { joinWorld } from './screens/testing.ts'
import { openDatabase } from './testing.ts'
import { type Person, signUp } from './world.ts'

const { parley, browser } = await joinWorld()
const DROPPED_PURPOSE = 'Book the room that was cut off'
let person: Person

/** What each call came to, as the voice service would have told it. */
const OFFERED = {
  objective: 'A table at 7 pm',
  status: 'offered',
  quote: 'Half past eight would be possible.',
  turn: 1,
  offer: 'half past eight',
} as const
const WITHIN = {
  objective: 'A window seat',
  status: 'met_within_limits',
  quote: 'Next to it.',
  turn: 1,
  offer: 'a seat next to it',
} as const
const { offer: _, ...BEFORE } = { ...OFFERED, status: 'met' } as const

beforeAll(async () => {
  person = await signUp(parley.url, 'outcomes@parley.example')
  const database = await openDatabase(parley)
  const add = async (
    n: number,
    endReason: string,
    more: { purpose?: string; status?: string; outcomes?: object[]; words?: string } = {},
  ) => {
    const { purpose = endReason, status = 'completed', outcomes = [], words = 'Agent: Hello.\nUser: Yes?' } = more
    await database.pool.query(
      `insert into call (id, user_id, callee, purpose, objectives, tone, voice_id, max_duration_minutes, context, language, on_behalf_of, record,
         status, phase, stage_at, heard_at, outcomes, transcript, summary, duration_seconds, credits_held, credits_charged, end_reason, end_message,
         created_at, connected_at, completed_at)
       select 'ended-' || $2::int, $1, '+1202555010' || $2::int, $3, $4, 'friendly', 'default', 5, '{}', 'en', 'Ada', false,
         $5, 'ended', at, at, $6, $7, null, 60, 5, 1, $8, 'So it ended.', at, at, at
       from (select date_trunc('milliseconds', now() - make_interval(mins => 5 + $2::int)) as at) as made`,
      [
        person.user.id,
        n,
        purpose,
        JSON.stringify(outcomes.map((each) => ('objective' in each ? each.objective : ''))),
        status,
        JSON.stringify(outcomes),
        words,
        endReason,
      ],
    )
    await database.pool.query(
      `insert into call_turn (call_id, index, speaker, text, start_ms, end_ms, heard)
       values ('ended-' || $1::int, 0, 'agent', 'Hello.', 0, 900, true), ('ended-' || $1::int, 1, 'user', 'Yes?', 1000, 1900, true)`,
      [n],
    )
  }
  await add(0, 'agent_closed', { purpose: 'Book a table', outcomes: [OFFERED, WITHIN] })
  await add(1, 'agent_closed', { purpose: 'Book it as before', outcomes: [BEFORE] })
  for (const [at, reason] of ['voicemail', 'refused_to_talk', 'opted_out', 'stopped'].entries()) await add(at + 2, reason)
  await add(6, 'carrier_dropped', { purpose: DROPPED_PURPOSE, status: 'failed' })
  await database.close()
})

const LABELS = ['Voicemail', 'Refused to talk', 'Asked for no more calls', 'Stopped by you', 'Cut off by the network']

async function open(page: Page, name: RegExp, place = page.locator('main')): Promise<ReturnType<Page['getByRole']>> {
  await place.getByRole('button', { name }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Call details' })
  await dialog.waitFor()
  return dialog
}

describe('what came of calls', () => {
  test('tells an offer from an agreement, and says where an earlier rule judged', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    await page.goto('/call-history')
    const offered = await open(page, /^View the call to \+1 202 555 0100$/)
    await expectText(page, '1 of 2 objectives met, 1 offer to decide')
    await offered.getByText('They offer: half past eight', { exact: true }).waitFor()
    await offered.getByText('Agreed: a seat next to it (asked: A window seat)', { exact: true }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    await picture(page, 'outcome-offered-wide', false)
    await page.keyboard.press('Escape')
    const before = await open(page, /^View the call to \+1 202 555 0101$/)
    await before.getByText('Judged by an earlier rule: an offer that was taken counted as met.', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  }, 90_000)

  test.each([
    ['wide', WIDE],
    ['narrow', NARROW],
  ])(
    'tells endings of one status apart in every list, %s',
    async (name, viewport) => {
      const { page, complaints } = await visitAs(browser, parley.url, person, { viewport })
      await page.goto('/call-history')
      await expectText(page, 'Showing 1 to 7 of 7 calls')
      for (const label of LABELS) await page.locator('main').getByText(label).first().waitFor()
      expect(await axeFindings(page)).toEqual([])
      await picture(page, `history-endings-${name}`, false)
      await page.goto('/analytics')
      const list = page.getByRole('region', { name: 'Calls' }).last()
      for (const label of LABELS) await list.getByText(label).first().waitFor()
      await page.getByLabel('Search calls').fill('+1 (202) 555-0103')
      await expect.poll(() => list.getByRole('listitem').count(), SEEN).toBe(1)
      await list.getByText('Refused to talk').first().waitFor()
      expect(complaints).toEqual([])
    },
    120_000,
  )
})

describe('a call that the network cut off', () => {
  const number = /^View the call to \+1 202 555 0106$/

  test('opens from the table, a card, and the analytics, with its words', async () => {
    for (const viewport of [WIDE, NARROW]) {
      const { page, complaints } = await visitAs(browser, parley.url, person, { viewport })
      for (const path of ['/call-history', '/analytics']) {
        await page.goto(path)
        const dialog = await open(page, number)
        await dialog.getByText('Yes?', { exact: true }).waitFor()
        await dialog.getByRole('button', { name: 'Download transcript' }).waitFor()
      }
      expect(complaints).toEqual([])
    }
  }, 120_000)

  test('is not called again by one press: somebody was spoken to', async () => {
    const { page, complaints } = await visitAs(browser, parley.url, person)
    const placed: string[] = []
    page.on('request', (request) => request.method() === 'POST' && request.url().endsWith('/api/calls') && placed.push(request.url()))
    await page.goto('/call-history')
    await page.getByRole('button', { name: 'Retry call' }).click()
    const question = page.getByRole('alertdialog', { name: 'Call this number again?' })
    await question.getByText('Somebody was already spoken to in this call. So it ended. It used 1 credit.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Retry call' }).click()
    expect(placed).toEqual([])
    const answer = page.waitForResponse((response) => response.request().method() === 'POST' && response.url().endsWith('/api/calls'))
    await question.getByRole('button', { name: 'Call again' }).click()
    await page.getByRole('button', { name: 'Call now' }).click()
    const again = (await (await answer).json()) as CallDetails
    expect(again.purpose).toBe(DROPPED_PURPOSE)
    await person.send('PATCH', `/api/calls/${again.id}`, { action: 'stop' })
    await person.ended(again.id)
    expect(complaints).toEqual([])
  }, 90_000)
})
