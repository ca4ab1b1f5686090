import { accountsRoutes, callsRoutes, SETTINGS_DEFAULTS } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { aCall, axeFindings, expectTexts, findingsInLooks, NARROW, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, aRunningCall, withCredits } from './testing.tsx'

const LANGUAGES = [
  'Auto-detect from phone prefix',
  'English',
  'Arabic',
  'Chinese',
  'French',
  'German',
  'Greek',
  'Hindi',
  'Italian',
  'Japanese',
  'Portuguese',
  'Portuguese (Brazil)',
  'Spanish',
]

const phone = () => page.getByLabelText('Phone Number')
const purpose = () => page.getByLabelText('Purpose')
const minutes = () => page.getByLabelText('Max Duration (minutes)')
const context = () => page.getByLabelText(/^Context \(JSON\)/)
const objective = () => page.getByLabelText(/^Objectives/)

async function expectOptions(name: string, options: readonly string[]): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await expect.element(page.getByRole('option').first()).toBeVisible()
  expect(
    page
      .getByRole('option')
      .elements()
      .map((option) => option.textContent),
  ).toEqual(options)
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
}

describe('call form', () => {
  // screens.md: begins-tone-usual-length
  test.each([
    ['/dashboard', 'Friendly', ['Friendly', 'Professional', 'Casual', 'Formal']],
    ['/make-call', 'Professional', ['Friendly', 'Professional', 'Casual', 'Formal', 'Empathetic']],
  ])('on %s starts with its default tone, 10 minutes and auto-detected language', async (path, tone, tones) => {
    serve(withCredits('40'))
    await openScreen(path)
    await expect.element(page.getByRole('combobox', { name: 'Tone' })).toHaveTextContent(tone)
    await expect
      .element(page.getByRole('combobox', { name: 'Language' }))
      .toHaveTextContent('Auto-detect from phone prefix')
    await expect.element(minutes()).toHaveValue(10)
    await expectTexts([
      'Enter the full phone number including country code',
      'What the agent should achieve in the call',
    ])
    await expectOptions('Tone', tones)
    await expectOptions('Language', LANGUAGES)
  })

  test('is titled on the dashboard and introduced on Make Call', async () => {
    serve()
    const { address } = await openScreen('/dashboard')
    await expectTexts(['Quick Call', 'Say who to call and what for. The agent does the talking.'])
    expect(address()).toBe('/dashboard')
    await page.getByRole('link', { name: 'Make Call' }).click()
    await expectTexts(['Choose who to call, what for, and how the agent should sound.'])
  })

  test('starts with the tone and the duration of the user’s settings', async () => {
    const api = serve(withCredits('100'))
    api.answer(accountsRoutes.getSettings, {
      ...SETTINGS_DEFAULTS,
      defaultTone: 'empathetic',
      defaultMaxDurationMinutes: 3,
    })
    await openScreen('/dashboard')
    await expect.element(page.getByRole('combobox', { name: 'Tone' })).toHaveTextContent('Empathetic')
    await expect.element(minutes()).toHaveValue(3)
  })

  test('proposes a shorter duration when the default would hold all credits, and warns at a longer one', async () => {
    serve()
    await openScreen('/make-call')
    await expect.element(minutes()).toHaveValue(5)
    await expectTexts(['Shorter than your usual 10, so that credits are left for another call.'])
    await minutes().fill('10')
    await expectTexts(['This call reserves all your credits until it ends.'])
    await minutes().fill('4')
    await expect.element(page.getByText('This call reserves all your credits until it ends.')).not.toBeInTheDocument()
  })

  test('takes the phone number from its address', async () => {
    serve()
    await openScreen('/make-call?phone=%2B12025550100')
    await expect.element(phone()).toHaveValue('+12025550100')
  })

  test('has no axe findings with objectives and errors, at both widths and in both themes', async () => {
    serve()
    await openScreen('/make-call')
    await objective().fill(
      'A table at 7 pm, by the window if there is one, and otherwise as far away from the kitchen as can be',
    )
    await press('Add objective')
    await press('Start Call')
    await expectTexts(['Please fill in all required fields.'])
    expect(await findingsInLooks()).toEqual([])
  })
})

// screens.md: wrong-order-said-field
describe('invalid input is shown at its field and in a toast, and places no call', () => {
  test.each([
    ['an empty form', {}, 'Please fill in all required fields.', ['Phone Number', 'Purpose']],
    ['no purpose', { number: '+1 202 555 0100' }, 'Please fill in all required fields.', ['Purpose']],
    [
      'incomplete JSON as context',
      { context: '{"name": ' },
      'Invalid JSON in context field. Please check the format.',
      [/^Context/],
    ],
    ['a list as context', { context: '[1]' }, 'Invalid JSON in context field. Please check the format.', [/^Context/]],
    ['too many minutes', { minutes: '31' }, 'Enter a whole number from 1 to 30.', ['Max Duration (minutes)']],
    ['half a minute', { minutes: '0.5' }, 'Enter a whole number from 1 to 30.', ['Max Duration (minutes)']],
    [
      'a card number',
      { purpose: 'Pay with 4111 1111 1111 1111' },
      'This looks like a payment card number. Parley must not be given card numbers or passwords: remove it from the purpose.',
      ['Purpose'],
    ],
    [
      'a password',
      { context: '{"guest": {"password": "hunter"}}' },
      'This looks like a password or PIN. Parley must not be given card numbers or passwords: remove it from the context (guest › password).',
      [/^Context/],
    ],
    [
      'unfilled placeholders of a template',
      { purpose: 'Reserve a table on [day and time], in the name of [name].' },
      'Fill in what is in brackets: [day and time], [name]',
      ['Purpose'],
    ],
  ] as const)(
    '%s',
    async (_, typed: { number?: string; purpose?: string; context?: string; minutes?: string }, sentence, labels) => {
      const api = serve(withCredits('40'))
      await openScreen('/make-call')
      const isWhole =
        !labels.some((label) => label === 'Phone Number' || label === 'Purpose') || typed.purpose !== undefined
      if (isWhole || typed.number) await phone().fill(typed.number ?? '+1 202 555 0100')
      if (isWhole) await purpose().fill(typed.purpose ?? 'Book a table')
      if (typed.context) await context().fill(typed.context)
      if (typed.minutes) await minutes().fill(typed.minutes)
      await press('Start Call')
      await expectTexts(['Error', sentence], page.getByRole('region', { name: /^Notifications/ }))
      for (const label of labels) {
        await expect.element(page.getByLabelText(label)).toHaveAccessibleDescription(expect.stringContaining(sentence))
        await expect.element(page.getByLabelText(label)).toHaveAttribute('aria-invalid', 'true')
      }
      await expect.element(page.getByLabelText(labels[0])).toHaveFocus()
      expect(api.requests(callsRoutes.place)).toEqual([])
    },
  )
})

describe('objectives', () => {
  // screens.md: added-enter-button
  test('are added by Enter or button, trimmed and without duplicates; removing one moves the focus', async () => {
    serve()
    await openScreen('/make-call')
    await expect.element(page.getByPlaceholder('Ask for a vegetarian menu')).toBeVisible()
    await objective().fill('  A table at 7 pm ')
    await userEvent.keyboard('{Enter}')
    await objective().fill('A table at 7 pm')
    await press('Add objective')
    const added = page.getByRole('button', { name: 'Remove objective: A table at 7 pm' })
    await expect.poll(() => added.elements().length).toBe(1)
    await objective().fill('A terrace')
    await press('Add objective')
    await added.click()
    await expect.element(added).not.toBeInTheDocument()
    const other = page.getByRole('button', { name: 'Remove objective: A terrace' })
    await expect.element(other).toHaveFocus()
    await other.click()
    await expect.element(page.getByRole('button', { name: 'Add objective' })).toHaveFocus()
  })
})

// screens.md: without-credits-button-says
describe('without credits the button is disabled and shows why', () => {
  const button = () => page.getByRole('button', { name: 'Add Credits to Call' })

  test('the balance is 0', async () => {
    serve(withCredits('0'))
    await openScreen('/make-call')
    await expect.element(button()).toBeDisabled()
    await expectTexts(['You have 0 credits. Please purchase credits to start a call.'])
    expect(await axeFindings()).toEqual([])
  })

  test('a call in progress holds the only credit', async () => {
    const api = serve(withCredits('0', { creditsHeld: 1 }))
    answerCalls(api, () => [aRunningCall({ creditsHeld: 1 })])
    await openScreen('/make-call')
    await expect.element(button()).toBeDisabled()
    await expectTexts([
      'Your 1 credit is reserved by a call in progress. If unused, it is returned when the call ends.',
    ])
  })

  test('calls in progress hold all credits, counted from the session when the calls cannot be loaded', async () => {
    const api = serve(withCredits('0', { creditsHeld: 1200 }))
    api.refuse(callsRoutes.active, 'internal')
    await openScreen('/make-call')
    await expect.element(button()).toBeDisabled()
    await expectTexts([
      'All your 1,200 credits are reserved by calls in progress. Unused credits are returned when they end.',
    ])
  })
})

describe('calling again with changes', () => {
  test('fills the form from the earlier call', async () => {
    const api = serve(withCredits('40'))
    answerCalls(api, () => [
      aCall({ tone: 'formal', maxDurationMinutes: 3, context: { name: 'Ruiz' }, language: 'es' }),
    ])
    await openScreen('/make-call?from=call-1')
    await expect.element(phone()).toHaveValue('+12025550100')
    await expect.element(purpose()).toHaveValue('Book a table for two at 7 pm')
    await expect.element(page.getByRole('button', { name: 'Remove objective: A table for two at 7 pm' })).toBeVisible()
    await expect.element(page.getByRole('combobox', { name: 'Tone' })).toHaveTextContent('Formal')
    await expect.element(page.getByRole('combobox', { name: 'Language' })).toHaveTextContent('Spanish')
    await expect.element(minutes()).toHaveValue(3)
    await expect.element(context()).toHaveValue('{\n  "name": "Ruiz"\n}')
  })

  test('keeps the edited form after a switch of tabs', async () => {
    const api = serve(withCredits('40'))
    answerCalls(api, () => [aCall()])
    const { address } = await openScreen('/make-call?from=call-1')
    await page.getByRole('button', { name: 'Remove objective: A table for two at 7 pm' }).click()
    await page.getByRole('tab', { name: 'Batch Calls' }).click()
    await expect.element(page.getByRole('button', { name: 'Upload contacts' })).toBeVisible()
    expect(address()).toBe('/make-call?from=call-1&tab=batch')
    await page.getByRole('tab', { name: 'Single Call' }).click()
    await expect.element(phone()).toHaveValue('+12025550100')
    await expect.element(page.getByRole('button', { name: /^Remove objective/ })).not.toBeInTheDocument()
    expect(address()).toBe('/make-call?from=call-1&tab=single')
  })

  test('offers a retry when the earlier call cannot be loaded', async () => {
    const api = serve(withCredits('40'))
    api.refuse(callsRoutes.get, 'internal')
    await openScreen('/make-call?from=call-1', { size: NARROW })
    await expectTexts(['This call could not be loaded'])
    expect(await axeFindings()).toEqual([])
    answerCalls(api, () => [aCall()])
    await press('Try again')
    await expect.element(purpose()).toHaveValue('Book a table for two at 7 pm')
  })
})

test('the form keeps its values after navigation', async () => {
  serve(withCredits('40'))
  await openScreen('/make-call')
  await phone().fill('+1 202 555 0100')
  await purpose().fill('Book a table')
  await page.getByRole('link', { name: 'Contacts' }).click()
  await expectTexts(['No contacts yet'])
  await page.getByRole('link', { name: 'Make Call' }).click()
  await expect.element(phone()).toHaveValue('+1 202 555 0100')
  await expect.element(purpose()).toHaveValue('Book a table')
})
