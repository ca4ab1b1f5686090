import { type CallDetails, callsRoutes, type Outcome } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, axeFindings, expectTexts, findingsInLooks, NARROW, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, aTurn, openDetails } from './testing.tsx'

const TABLE = 'A table at 7 pm'
const SEAT = 'A window seat'
const MENU = 'A vegetarian menu'

const outcome = (objective: string, status: Outcome['status'], change: Partial<Outcome> = {}): Outcome => ({
  objective,
  status,
  quote: null,
  turn: null,
  offer: null,
  ...change,
})

const withOutcomes = (...outcomes: readonly Outcome[]): CallDetails =>
  aCall({ objectives: outcomes.map(({ objective }) => objective), outcomes: [...outcomes] })

describe('outcome of a call', () => {
  test.each([
    ['The objective is met', withOutcomes(outcome(TABLE, 'met'))],
    [
      'Both objectives met',
      withOutcomes(outcome(TABLE, 'met'), outcome(SEAT, 'met_within_limits', { offer: 'a seat next to it' })),
    ],
    ['All 3 objectives met', withOutcomes(outcome(TABLE, 'met'), outcome(SEAT, 'met'), outcome(MENU, 'met'))],
    ['1 of 2 objectives met', withOutcomes(outcome(TABLE, 'met'), outcome(SEAT, 'refused'))],
    [
      '1 of 2 objectives met, 1 offer to decide',
      withOutcomes(outcome(TABLE, 'met'), outcome(SEAT, 'offered', { offer: 'a bench' })),
    ],
    [
      '2 offers to decide',
      withOutcomes(outcome(TABLE, 'offered', { offer: '8 pm' }), outcome(SEAT, 'offered', { offer: 'a bench' })),
    ],
    ['The objective was not met', withOutcomes(outcome(TABLE, 'open'))],
    ['Neither objective met', withOutcomes(outcome(TABLE, 'open'), outcome(SEAT, 'refused'))],
    [
      'None of the 3 objectives met',
      withOutcomes(outcome(TABLE, 'open'), outcome(SEAT, 'refused'), outcome(MENU, 'open')),
    ],
    ['They said goodbye.', aCall({ objectives: [], outcomes: [], endMessage: 'They said goodbye.' })],
    ['The call is done', aCall({ objectives: [], outcomes: [] })],
    ['The call did not go through', aCall({ status: 'failed', endReason: 'busy', outcomes: [] })],
    [
      'The line was cut. 1 of 2 objectives met',
      {
        ...withOutcomes(outcome(TABLE, 'met'), outcome(SEAT, 'open')),
        status: 'failed',
        endReason: 'carrier_dropped',
        endMessage: 'The line was cut.',
      },
    ],
  ] as const)('%s', async (headline, call) => {
    const { dialog } = await openDetails(call)
    await expect.element(dialog.getByRole('heading', { level: 3 })).toHaveTextContent(headline)
  })

  test('distinguishes met, offered, refused and open objectives, and marks an earlier rule’s result', async () => {
    const { dialog } = await openDetails(
      withOutcomes(
        outcome(TABLE, 'offered', { offer: 'half past eight', quote: 'Half past eight would be possible.', turn: 1 }),
        outcome(SEAT, 'met_within_limits', { offer: 'a seat next to it', quote: 'Next to it.', turn: 1 }),
        outcome(MENU, 'refused', { quote: 'We have none.' }),
        outcome('A high chair', 'open'),
        outcome('A quiet corner', 'met', { earlierRule: true }),
      ),
    )
    const item = (at: number) => dialog.getByRole('listitem').nth(at)
    await expect
      .element(item(0))
      .toMatchTextContent(
        /Offered, not agreed: A table at 7 pm.*They offer: half past eight.*Half past eight would be possible\./,
      )
    await expect
      .element(item(1))
      .toMatchTextContent(
        /Met within your limits: A window seat.*Agreed: a seat next to it \(asked: A window seat\).*Next to it\./,
      )
    await expect.element(item(2)).toMatchTextContent(/Refused: A vegetarian menu.*We have none\./)
    await expect.element(item(3)).toMatchTextContent(/Open: A high chair/)
    await expect
      .element(item(4))
      .toMatchTextContent(/Met: A quiet corner.*When this call was made, an accepted offer counted as met\./)
    expect(await findingsInLooks()).toEqual([])
  })

  test('lists the next steps', async () => {
    const { dialog } = await openDetails(aCall({ nextSteps: ['Be there at 7 pm', 'Bring the voucher'] }))
    await expectTexts(['What to do next', 'Be there at 7 pm', 'Bring the voucher'], dialog)
  })
})

describe('transcript of a call', () => {
  test('is shown first; a quote in the outcomes scrolls to its turn', async () => {
    const turns = Array.from({ length: 40 }, (_, index) => aTurn(index, `This is line ${index} of the talk.`))
    const quote = { quote: 'This is line 35 of the talk.', turn: 35 }
    const { dialog } = await openDetails(aCall({ turns, outcomes: [outcome('A table for two at 7 pm', 'met', quote)] }))
    const turn = dialog.getByText('This is line 35 of the talk.', { exact: true }).last()
    await expect.element(turn).not.toBeInViewport()
    await dialog.getByRole('tab', { name: 'Summary' }).click()
    await expectTexts(['The table for two at 7 pm is booked.'], dialog)
    await dialog.getByTitle('Show this line in the transcript').click()
    await expect.element(dialog.getByRole('tab', { name: 'Transcript' })).toHaveAttribute('aria-selected', 'true')
    await expect.element(turn).toBeInViewport()
  })

  test('shows the end message when nothing was said', async () => {
    const none = { transcript: null, turns: [], outcomes: [], status: 'failed', endReason: 'busy' } as const
    const failed = await openDetails(
      aCall({ ...none, turns: [], outcomes: [], transcript: 'Agent: Hello.', endMessage: 'The line was busy.' }),
    )
    await expectTexts(['The line was busy.'], failed.dialog.getByRole('tabpanel'))
  })

  test('says that there is no transcript when the call has neither turns nor an end message', async () => {
    const { dialog } = await openDetails(aCall({ turns: [] }))
    await expectTexts(['There is no transcript of this call.'], dialog.getByRole('tabpanel'))
  })

  test('ends where the callee refused recording, with an explanation', async () => {
    const { dialog } = await openDetails(aCall({ wordsKeptUntil: '2026-11-20T10:00:20.000Z' }))
    await expectTexts(
      [
        'A table at seven is fine.',
        'The callee did not want to be recorded. The call went on, and nothing that was said from here on is kept.',
      ],
      dialog.getByRole('tabpanel'),
    )
    expect(await axeFindings()).toEqual([])
  })
})

test.each([
  [1, '1 minute'],
  [5, '5 minutes'],
])('shows the call’s settings, with its limit of %i min, and its phases', async (maxDurationMinutes, text) => {
  const { dialog } = await openDetails(
    aCall({
      maxDurationMinutes,
      tone: 'empathetic',
      language: 'pt-BR',
      context: { name: 'Ruiz', party: 4 },
      endMessage: 'Both sides said goodbye.',
      events: [
        { status: 'initiated', phase: 'queued', at: '2026-11-20T10:00:00.000Z' },
        { status: 'in_progress', phase: 'objective 1 of 1', at: '2026-11-20T10:00:10.000Z' },
      ],
    }),
  )
  await dialog.getByRole('tab', { name: 'Details' }).click()
  await expectTexts(['+1 202 555 0100', 'United States', 'Completed', 'Book a table for two at 7 pm'], dialog)
  await expectTexts(
    ['Empathetic', 'Portuguese (Brazil)', text, '1m 5s', '2', 'Both sides said goodbye.', /"party": 4/],
    dialog,
  )
  const course = dialog.getByRole('definition').last().getByRole('listitem')
  await expect.element(course.first()).toMatchTextContent(/Queued$/)
  await expect.element(course.last()).toMatchTextContent(/On “A table for two at 7 pm”$/)
  const names = [
    'Callee',
    'Status',
    'Purpose',
    'Objectives',
    'Tone',
    'Language',
    'Max duration',
    'Duration',
    'Credits charged',
  ]
  expect(
    dialog
      .getByRole('term')
      .elements()
      .map((term) => term.textContent),
  ).toEqual([...names, 'Placed', 'Ended', 'How it ended', 'Context', 'Timeline'])
  expect(await axeFindings()).toEqual([])
})

describe('details of a call', () => {
  test('show a placeholder in the open dialog while loading', async () => {
    const api = serve()
    answerCalls(api, () => [aCall()])
    const letGo = api.hold(callsRoutes.get)
    await openScreen('/call-history')
    await page.getByRole('button', { name: 'View the call to +1 202 555 0100' }).click()
    const dialog = page.getByRole('dialog', { name: 'Call details' })
    await expect.poll(() => dialog.element().querySelector('[aria-busy=true]')).not.toBeNull()
    expect(await axeFindings()).toEqual([])
    letGo()
    await expectTexts(['The objective is met'], dialog)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  // screens.md: phones-call-seconds-credits
  test('tell seconds and credits of each phone, and what became of ringing the own one', async () => {
    const theirs = { leg: 1, to: 'callee', seconds: 95, credits: 2, end: null } as const
    const own = { leg: 2, to: 'owner', seconds: 25, credits: 1, end: 'not_accepted' } as const
    const { dialog } = await openDetails(aCall({ creditsCharged: 3, durationSeconds: 95, legs: [theirs, own] }))
    await dialog.getByRole('tab', { name: 'Details' }).click()
    await expectTexts(['Phones'], dialog)
    const item = (place: number) => dialog.getByRole('listitem').filter({ hasText: 'phone' }).nth(place)
    await expect.element(item(0)).toMatchTextContent(/Their phone · .*1.*35.* · 2 credits$/)
    await expect
      .element(item(1))
      .toMatchTextContent(/Your phone · .*25.* · 1 credit · Answered, but 1 was not pressed$/)
    expect(await findingsInLooks()).toEqual([])
  })

  test.each([
    ['accepted', 'You joined'],
    ['machine', 'A voicemail answered'],
    ['not_answered', 'Not answered'],
    ['withdrawn', 'Ringing was stopped'],
  ] as const)('tell that ringing the own phone ended as %s', async (end, sentence) => {
    const theirs = { leg: 1, to: 'callee', seconds: 95, credits: 2, end: null } as const
    const own = { leg: 2, to: 'owner', seconds: 25, credits: 1, end } as const
    const { dialog } = await openDetails(aCall({ creditsCharged: 3, durationSeconds: 95, legs: [theirs, own] }))
    await dialog.getByRole('tab', { name: 'Details' }).click()
    await expectTexts([new RegExp(`${sentence}$`)], dialog)
  })

  test('offer a retry when loading fails', async () => {
    const api = serve()
    answerCalls(api, () => [aCall()])
    api.refuse(callsRoutes.get, 'internal')
    await openScreen('/call-history', { size: NARROW })
    await page.getByRole('button', { name: 'View the call to +1 202 555 0100' }).click()
    await expectTexts(['This call could not be loaded'])
    expect(await axeFindings()).toEqual([])
    answerCalls(api, () => [aCall()])
    await press('Try again')
    await expectTexts(['The objective is met'])
  })

  test('have no axe findings in any tab, at both widths and in both themes', async () => {
    const { dialog } = await openDetails(
      aCall({ hasRecording: true, context: { name: 'Ruiz' }, nextSteps: ['Be there at 7 pm'] }),
    )
    for (const name of ['Transcript', 'Details', 'Summary']) {
      await dialog.getByRole('tab', { name, exact: true }).click()
      expect(await findingsInLooks()).toEqual([])
    }
  })
})
