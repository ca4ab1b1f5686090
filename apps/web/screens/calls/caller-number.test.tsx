import { type CallerNumber, callerNumbersRoutes, callsRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, axeFindings, bodiesOf, expectTexts, type FakeApi, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, aRunningCall, fakeSockets, openedSocket, withCredits } from './testing.tsx'

fakeSockets()

const from = () => page.getByRole('combobox', { name: 'Call from' })
const number = (phone: string, isDefault = false): CallerNumber => ({
  phone,
  kind: 'verified',
  isDefault,
  createdAt: '2026-11-01T10:00:00.000Z',
})

function serveNumbers(...numbers: readonly CallerNumber[]): FakeApi {
  const api = serve(withCredits('10'))
  api.answer(callerNumbersRoutes.list, { numbers: [...numbers], verification: null })
  const call = aCall({ status: 'initiated', phase: 'queued', completedAt: null, endReason: null })
  api.answer(callsRoutes.place, call)
  answerCalls(api, () => [call])
  return api
}

async function start(): Promise<void> {
  await page.getByLabelText('Phone Number').fill('+1 202 555 0100')
  await page.getByLabelText('Purpose').fill('Ask')
  await press('Start Call')
}

const sentBy = async (api: FakeApi) => {
  await expect.poll(() => api.requests(callsRoutes.place).length).toBe(1)
  return bodiesOf(api.requests(callsRoutes.place))[0] as { readonly from?: string | null }
}

describe('the number that a call comes from', () => {
  test('is not asked for in an account without one', async () => {
    const api = serveNumbers()
    await openScreen('/make-call')
    await expect.element(page.getByLabelText('Purpose')).toBeVisible()
    await expect.poll(() => api.requests(callerNumbersRoutes.list).length).toBeGreaterThan(0)
    await expect.element(from()).not.toBeInTheDocument()
    await start()
    expect(await sentBy(api)).not.toHaveProperty('from')
  })

  test('is the default unless another is chosen', async () => {
    const api = serveNumbers(number('+12024560901', true), number('+12024560902'))
    await openScreen('/make-call')
    await expect.element(from()).toHaveTextContent('+1 202 456 0901 (for every call)')
    expect(await axeFindings()).toEqual([])
    await start()
    expect(await sentBy(api)).not.toHaveProperty('from')
  })

  test.each([
    ['+1 202 456 0902', '+12024560902'],
    ['A number of the phone network', null],
  ])('can be %s for one call', async (label, sent) => {
    const api = serveNumbers(number('+12024560901', true), number('+12024560902'))
    await openScreen('/make-call')
    await from().click()
    await page.getByRole('option', { name: label, exact: true }).click()
    await expect.element(from()).toHaveTextContent(label)
    await start()
    expect(await sentBy(api)).toHaveProperty('from', sent)
  })

  test('that is refused is told at its field', async () => {
    const api = serveNumbers(number('+12024560901'))
    const message = 'This is no number of yours to call from. Verify it in Settings, or choose another.'
    api.refuse(callsRoutes.place, 'caller_number_refused', { message, field: 'from' })
    await openScreen('/make-call')
    await expect.element(from()).toHaveTextContent('A number of the phone network')
    await from().click()
    await page.getByRole('option', { name: '+1 202 456 0901', exact: true }).click()
    await start()
    await expect.element(from()).toHaveAccessibleDescription(message)
    await expect.element(from()).toHaveFocus()
  })
})

describe('a call that tells a code to this browser', () => {
  const ringing = () => page.getByRole('dialog', { name: 'Incoming call' })

  async function ring(): Promise<FakeApi> {
    const running = aRunningCall()
    const api = serve()
    answerCalls(api, () => [running])
    const { say } = await openScreen('/contacts')
    await expect.element(page.getByRole('complementary', { name: 'Calls running' })).toBeVisible()
    say({ type: 'incoming_call', callId: 'verification-1', callee: '+12025550199', onBehalfOf: 'Parley' })
    await expectTexts(['+1 202 555 0199, which is you, is called to tell you a code.'], ringing())
    return api
  }

  test('is answered to listen, and opens no call', async () => {
    await ring()
    expect(await axeFindings()).toEqual([])
    await ringing().getByRole('button', { name: 'Answer and listen' }).click()
    const socket = await openedSocket()
    expect(socket.url).toMatch(/\/ws\/calls\/verification-1\/answer$/)
    socket.ready()
    await expect.element(ringing()).not.toBeInTheDocument()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  test('is gone when it has stopped ringing', async () => {
    const api = await ring()
    const verification = {
      id: 'verification-1',
      phone: '+12025550199',
      status: 'over',
      endReason: 'no_answer',
      endMessage: 'Nobody answered.',
      heard: null,
      triesLeft: 5,
      expiresAt: '2027-01-01T10:00:00.000Z',
    } as const
    api.answer(callerNumbersRoutes.list, { numbers: [], verification })
    await expect.element(ringing()).not.toBeInTheDocument()
  })

  test('can be left ringing', async () => {
    await ring()
    await ringing().getByRole('button', { name: 'Let it ring' }).click()
    await expect.element(ringing()).not.toBeInTheDocument()
  })

  test('says when it could not be answered', async () => {
    await ring()
    await ringing().getByRole('button', { name: 'Answer and listen' }).click()
    ;(await openedSocket()).break(1006)
    await expectTexts(['The call could not be answered. It may have stopped ringing.'])
  })
})
