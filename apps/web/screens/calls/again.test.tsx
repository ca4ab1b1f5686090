import { callsRoutes, type CallDetails } from '@parley/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  ADA,
  aCall,
  axeFindings,
  bodiesOf,
  expectTexts,
  type FakeApi,
  listed,
  openScreen,
  press,
  serve,
} from '../testing.tsx'
import { answerCalls, aRunningCall, withCredits } from './testing.tsx'

const notices = () => page.getByRole('region', { name: /^Notifications/ })
const question = () => page.getByRole('alertdialog', { name: 'Call this number again?' })
const retry = () => page.getByRole('button', { name: 'Retry call' })

const busy = (change: Partial<CallDetails> = {}): CallDetails =>
  aCall({
    status: 'failed',
    endReason: 'busy',
    transcript: null,
    turns: [],
    outcomes: [],
    summary: null,
    creditsCharged: 0,
    ...change,
  })

const CUT_OFF = aCall({
  status: 'failed',
  endReason: 'carrier_dropped',
  endMessage: 'The line was cut.',
  creditsCharged: 1,
  tone: 'formal',
  context: { party: 2 },
})

const orderOf = ({ callee, purpose, objectives, tone, maxDurationMinutes, context, language }: CallDetails) => ({
  userId: ADA.id,
  callee,
  purpose,
  objectives,
  tone,
  maxDurationMinutes,
  context,
  language,
})

let api: FakeApi

async function openHistory(calls: readonly CallDetails[]): Promise<void> {
  let all = calls
  answerCalls(api, () => all)
  api.answer(callsRoutes.place, () => {
    const placed = aRunningCall({ id: `again-${api.requests(callsRoutes.place).length}` })
    all = [placed, ...all]
    return listed(placed)
  })
  await openScreen('/call-history')
}

beforeEach(() => {
  api = serve(withCredits('40'))
})

describe('retry of a failed call', () => {
  test('can be undone during the countdown: places no call', async () => {
    await openHistory([busy()])
    await retry().click()
    await expectTexts([/^Calling \+1 202 555 0100 in [1-5] s$/], notices())
    await expect.element(retry()).toHaveAttribute('aria-disabled', 'true')
    // Focus pauses the countdown.
    await userEvent.keyboard('{F8}')
    expect(await axeFindings()).toEqual([])
    // Undo works by keyboard.
    await userEvent.keyboard('{Tab}{Tab}{Enter}')
    await expectTexts(['Not called', 'Nothing was dialed and no credits were held.'], notices())
    await expect.element(retry()).not.toHaveAttribute('aria-disabled')
    expect(api.requests(callsRoutes.place)).toEqual([])
  })

  test('is cancelled by Escape', async () => {
    await openHistory([busy()])
    await retry().click()
    await expectTexts([/^Calling/], notices())
    await userEvent.keyboard('{F8}{Escape}')
    await expectTexts(['Not called'], notices())
    expect(api.requests(callsRoutes.place)).toEqual([])
  })

  // screens.md: hurried-same-order-placed
  test('"Call now" places the same call at once and opens its view', async () => {
    await openHistory([busy({ tone: 'formal', context: { party: 2 } })])
    await retry().click()
    await press('Call now')
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
    expect(bodiesOf(api.requests(callsRoutes.place))).toEqual([
      orderOf(busy({ tone: 'formal', context: { party: 2 } })),
    ])
  })

  test('places the call when the countdown ends', async () => {
    await openHistory([busy()])
    await retry().click()
    await expectTexts([/^Calling \+1 202 555 0100 in [1-5] s$/], notices())
    await expect.poll(() => api.requests(callsRoutes.place).length).toBe(1)
    await expect.element(page.getByRole('dialog', { name: 'Call to +1 202 555 0100' })).toBeVisible()
  })

  test('counts down once for several numbers', async () => {
    const calls = [busy(), busy({ id: 'call-2', callee: '+12025550101' })]
    await openHistory(calls)
    await retry().first().click()
    await expectTexts([/^Calling \+1 202 555 0100/], notices())
    await retry().last().click()
    await expectTexts([/^Calling 2 numbers in [1-5] s$/], notices())
    await press('Call now')
    await expect.poll(() => bodiesOf(api.requests(callsRoutes.place))).toEqual(calls.map(orderOf))
  })
})

describe('a call cut off by the network', () => {
  // screens.md: called-again-press-somebody
  test('is retried only after confirmation, because the callee was already spoken to', async () => {
    await openHistory([CUT_OFF])
    await retry().click()
    await expectTexts(
      [
        'Somebody was already spoken to in this call. The line was cut. It used 1 credit. A new call begins from the start and uses credits again.',
      ],
      question(),
    )
    expect(await axeFindings()).toEqual([])
    await question().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(question()).not.toBeInTheDocument()
    expect(api.requests(callsRoutes.place)).toEqual([])
    await retry().click()
    await question().getByRole('button', { name: 'Call again' }).click()
    await press('Call now')
    await expect.poll(() => bodiesOf(api.requests(callsRoutes.place))).toEqual([orderOf(CUT_OFF)])
  })

  // screens.md: opens-words-number-way
  test('opens its transcript from the history and can be downloaded', async () => {
    await openHistory([CUT_OFF])
    await page.getByRole('button', { name: 'View the call to +1 202 555 0100' }).click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await expectTexts(['A table at seven is fine.'], dialog.getByRole('tabpanel'))
    await expect.element(dialog.getByRole('button', { name: 'Download transcript' })).toBeVisible()
  })
})

describe('calling again', () => {
  test('without credits places no call and shows why', async () => {
    api = serve(withCredits('0'))
    await openHistory([busy()])
    await retry().click()
    await expectTexts(
      ['Add Credits to Call', 'You have 0 credits. Please purchase credits to start a call.'],
      notices(),
    )
    expect(api.requests(callsRoutes.place)).toEqual([])
  })

  test('shows the reason when the server refuses', async () => {
    await openHistory([busy()])
    api.refuse(callsRoutes.place, 'attempts_exceeded', { message: 'They were called three times today.' })
    await retry().click()
    await press('Call now')
    await expectTexts(['They were called three times today.'], notices())
  })

  test('outside calling hours asks for confirmation for each call', async () => {
    await openHistory([busy(), busy({ id: 'call-2', callee: '+12025550101' })])
    api.refuse(callsRoutes.place, 'outside_calling_hours', { message: 'It is late there.' })
    await retry().first().click()
    await retry().last().click()
    await press('Call now')
    const hour = page.getByRole('alertdialog', { name: 'Call at this hour?' })
    await hour.getByRole('button', { name: 'Cancel' }).click()
    await hour.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(hour).not.toBeInTheDocument()
    expect(api.requests(callsRoutes.place)).toHaveLength(2)
  })

  test('from the details closes them; "with changes" opens the form filled from the call', async () => {
    await openHistory([aCall({ tone: 'formal' })])
    const view = page.getByRole('button', { name: 'View the call to +1 202 555 0100' })
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await view.click()
    await press('Call again')
    await expect.element(dialog).not.toBeInTheDocument()
    await press('Undo')
    await view.click()
    await dialog.getByRole('link', { name: 'Call again with changes' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(page.getByLabelText('Purpose')).toHaveValue('Book a table for two at 7 pm')
    await expect.element(page.getByRole('combobox', { name: 'Tone' })).toHaveTextContent('Formal')
    expect(api.requests(callsRoutes.place)).toEqual([])
  })
})
