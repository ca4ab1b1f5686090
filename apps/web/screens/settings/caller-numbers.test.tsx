import { callerNumbersRoutes, type CallerVerification } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, NARROW, openScreen, press, serve } from '../testing.tsx'
import { aNumber, aVerification, expectBusy, expectToast, pressIn, section } from './testing.tsx'

const numbers = () => section('Numbers to call from')
const rows = () => numbers().getByRole('listitem')
const code = () => numbers().getByLabelText('Code that you heard')
const phone = () => numbers().getByLabelText('Phone to verify')
const question = () => page.getByRole('alertdialog', { name: 'Remove this number?' })
const NUMBER = '+1 202 456 0901'
const HEARD = 'Your code is: 4, 8, 0, 9, 1, 5.'

/** A server that awaits this code. */
function serveAwaited(change: Partial<CallerVerification>) {
  const api = serve()
  api.answer(callerNumbersRoutes.list, { numbers: [], verification: aVerification(change) })
  return api
}

test('without a number explains what one is for', async () => {
  serve()
  await openScreen('/settings')
  await expectTexts(
    [
      'The number that people see when your agent calls them. Without one it is a number of the phone network.',
      'No number yet.',
      'We call it, free of charge, and tell a code.',
    ],
    numbers(),
  )
  await expect.element(phone()).toHaveAttribute('type', 'tel')
})

describe('verification of a phone', () => {
  test('calls it, follows the call and takes the code that was heard', async () => {
    const api = serve()
    await openScreen('/settings')
    await phone().fill(' +1 202 456 0901 ')
    api.answer(callerNumbersRoutes.verify, aVerification())
    const answer = api.hold(callerNumbersRoutes.verify)
    await press('Call me with a code')
    await expectBusy('Call me with a code')
    api.answer(callerNumbersRoutes.list, { numbers: [], verification: aVerification() })
    answer()
    await expectTexts([`Calling ${NUMBER}…`], numbers())
    await expect.element(phone()).not.toBeInTheDocument()
    const rings = { numbers: [], verification: aVerification({ status: 'ringing' }) }
    api.answer(callerNumbersRoutes.list, rings)
    await expectTexts([`${NUMBER} is ringing. Answer it and listen to the code.`], numbers())
    api.answer(callerNumbersRoutes.list, { numbers: [], verification: aVerification({ status: 'answered' }) })
    await expectTexts([`The code is being told at ${NUMBER}.`], numbers())
    expect(bodiesOf(api.requests(callerNumbersRoutes.verify))).toEqual([{ phone: '+1 202 456 0901' }])

    await code().fill('480 915')
    api.answer(callerNumbersRoutes.confirm, aNumber())
    api.answer(callerNumbersRoutes.list, { numbers: [aNumber()], verification: null })
    await press('Confirm')
    await expectToast('Number verified')
    await expectTexts([NUMBER, 'Your own phone, verified'], rows())
    await expect.element(code()).not.toBeInTheDocument()
    expect(bodiesOf(api.requests(callerNumbersRoutes.confirm))).toEqual([{ code: '480915' }])
  })

  test('says why a number cannot be called, at its field', async () => {
    const api = serve()
    api.refuse(callerNumbersRoutes.verify, 'number_premium', {
      message: 'Premium-rate numbers are not called.',
      field: 'phone',
    })
    await openScreen('/settings')
    await phone().fill('+19005551234')
    await press('Call me with a code')
    await expect.element(phone()).toHaveAccessibleDescription(/Premium-rate numbers are not called\./)
    api.lose(callerNumbersRoutes.verify)
    await press('Call me with a code')
    await expectTexts(['The call could not be started.'], numbers())
    expect(await axeFindings()).toEqual([])
  })

  test('says at the field that a code is wrong, and takes another', async () => {
    const api = serveAwaited({ status: 'over', endReason: 'agent_closed' })
    const message = 'This is not the code that the call told. Please listen again.'
    api.refuse(callerNumbersRoutes.confirm, 'wrong_code', { message, field: 'code' })
    await openScreen('/settings')
    await code().fill('111111')
    await press('Confirm')
    await expect.element(code()).toHaveAccessibleDescription(message)
    api.lose(callerNumbersRoutes.confirm)
    await press('Confirm')
    await expectTexts(['The code could not be checked.'], numbers())
  })

  test('shows what a simulated phone heard', async () => {
    serveAwaited({ status: 'over', endReason: 'agent_closed', heard: HEARD })
    await openScreen('/settings')
    await expectTexts([`The call to ${NUMBER} is over.`, 'What the simulated phone heard:', HEARD], numbers())
    await expect.element(code()).toBeVisible()
    expect(await findingsInLooks()).toEqual([])
  })

  test('that nobody heard says so and can be called again', async () => {
    const busy = { status: 'over', endReason: 'busy', endMessage: 'The line was busy.' } as const
    const api = serveAwaited(busy)
    await openScreen('/settings', { size: NARROW })
    await expectTexts([`The call to ${NUMBER} is over.`, 'The line was busy.'], numbers())
    await expect.element(code()).not.toBeInTheDocument()
    expect(await axeFindings()).toEqual([])
    api.refuse(callerNumbersRoutes.verify, 'attempts_exceeded', { message: 'As many as may be.' })
    await press('Call again')
    await expectToast('Error', 'As many as may be.')
    await pressIn(page.getByRole('region', { name: /^Notifications/ }), 'Close')
    api.answer(callerNumbersRoutes.verify, aVerification())
    api.answer(callerNumbersRoutes.list, { numbers: [], verification: aVerification({ id: 'verification-2' }) })
    await press('Call again')
    await expectTexts([`Calling ${NUMBER}…`], numbers())
    expect(bodiesOf(api.requests(callerNumbersRoutes.verify)).at(-1)).toEqual({ phone: '+12024560901' })
  })

  test('without tries left asks for no code', async () => {
    serveAwaited({ status: 'over', endReason: 'agent_closed', triesLeft: 0 })
    await openScreen('/settings')
    await expect.element(numbers().getByRole('button', { name: 'Call again' })).toBeVisible()
    await expect.element(code()).not.toBeInTheDocument()
  })

  test('tells in Spanish how it goes', async () => {
    serveAwaited({ status: 'over', endReason: 'busy', endMessage: 'The line was busy.' })
    await openScreen('/settings', { language: 'es' })
    await expectTexts([`La llamada al ${NUMBER} ha terminado.`], section('Números desde los que llamar'))
    await expect.element(page.getByText('The line was busy.')).not.toBeInTheDocument()
  })
})

describe('number', () => {
  test('is used for every call, and no more', async () => {
    const api = serve()
    api.answer(callerNumbersRoutes.list, { numbers: [aNumber()], verification: null })
    await openScreen('/settings')
    const isDefault = aNumber({ isDefault: true })
    api.answer(callerNumbersRoutes.change, isDefault)
    const answer = api.hold(callerNumbersRoutes.change)
    await press(`Use for every call: ${NUMBER}`)
    await expectBusy(`Use for every call: ${NUMBER}`)
    api.answer(callerNumbersRoutes.list, { numbers: [isDefault], verification: null })
    answer()
    await expectTexts(['For every call'], rows())
    api.answer(callerNumbersRoutes.change, aNumber())
    api.answer(callerNumbersRoutes.list, { numbers: [aNumber()], verification: null })
    await press(`Do not use for every call: ${NUMBER}`)
    await expect.element(rows().getByText('For every call', { exact: true })).not.toBeInTheDocument()
    expect(api.requests(callerNumbersRoutes.change).map(({ params, body }) => [params['phone'], body])).toEqual([
      ['+12024560901', { isDefault: true }],
      ['+12024560901', { isDefault: false }],
    ])
  })

  test('is removed after confirmation, and one that was assigned cannot be', async () => {
    const api = serve()
    const owned = aNumber({ phone: '+12024560902', kind: 'owned' })
    api.answer(callerNumbersRoutes.list, { numbers: [aNumber(), owned], verification: null })
    await openScreen('/settings')
    await expectTexts(['Assigned to you'], rows())
    await expect.element(page.getByRole('button', { name: 'Remove: +1 202 456 0902' })).not.toBeInTheDocument()
    await press(`Remove: ${NUMBER}`)
    await expectTexts(['Calls no longer come from it. To have it back you verify it again.'], question())
    expect(await axeFindings()).toEqual([])
    api.send(callerNumbersRoutes.remove, '', { status: 500 })
    await pressIn(question(), 'Remove')
    await expectToast('Error', 'Failed to remove the number.')
    await pressIn(page.getByRole('region', { name: /^Notifications/ }), 'Close')
    api.answer(callerNumbersRoutes.remove, { message: 'Removed.' })
    api.answer(callerNumbersRoutes.list, { numbers: [owned], verification: null })
    await press(`Remove: ${NUMBER}`)
    await pressIn(question(), 'Remove')
    await expectToast('Number removed')
    await expect.element(rows().getByText(NUMBER, { exact: true })).not.toBeInTheDocument()
  })

  test('that cannot be changed says so', async () => {
    const api = serve()
    api.answer(callerNumbersRoutes.list, { numbers: [aNumber()], verification: null })
    api.send(callerNumbersRoutes.change, '', { status: 500 })
    await openScreen('/settings')
    await press(`Use for every call: ${NUMBER}`)
    await expectToast('Error', 'Failed to change the number.')
  })
})
