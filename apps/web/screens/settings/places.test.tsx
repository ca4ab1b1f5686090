import { SECURITY_EVENTS, securityRoutes } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { anEvent, aSession, expectBusy, expectToast, section } from './testing.tsx'

const here = aSession({ id: 'here', current: true, ipAddress: null })
const elsewhere = aSession({ id: 'phone', device: 'Safari on iPhone' })

describe('sessions', () => {
  const sessions = () => section('Where you are signed in')
  const rows = () => sessions().getByRole('listitem')

  test('list the current device, which has no end button', async () => {
    const api = serve()
    api.answer(securityRoutes.sessions, [here])
    await openScreen('/settings')
    await expectTexts(['Firefox on Linux', 'This device', 'since Nov 1, 2026, last used Nov 20, 2026'], rows())
    await expectTexts(['End any session you do not recognize, and choose a new password.'], sessions())
    await expect.element(sessions().getByRole('button')).not.toBeInTheDocument()
  })

  test('show a text when there is no other session', async () => {
    serve()
    await openScreen('/settings')
    await expectTexts(['No other sessions.'], sessions())
  })

  test('a session elsewhere is ended with a toast; a failure keeps the session', async () => {
    const api = serve()
    api.answer(securityRoutes.sessions, [here, elsewhere])
    api.send(securityRoutes.endSession, '', { status: 500 })
    await openScreen('/settings')
    await expectTexts(['192.0.2.7 · since Nov 1, 2026, last used Nov 20, 2026'], rows().nth(1))
    await press('End the session on Safari on iPhone')
    await expectToast('Error', 'Failed to end the session.')
    await expect.element(rows()).toHaveLength(2)
    api.answer(securityRoutes.endSession, { message: 'Ended.' })
    const answer = api.hold(securityRoutes.endSession)
    await press('End the session on Safari on iPhone')
    await expectBusy('End the session on Safari on iPhone')
    api.answer(securityRoutes.sessions, [here])
    api.answer(securityRoutes.securityActivity, [anEvent({ kind: 'session_ended' })])
    answer()
    await expectToast('Session ended')
    await expect.element(rows()).toHaveLength(1)
    await expect.element(page.getByRole('button', { name: 'End all others' })).not.toBeInTheDocument()
    await expectTexts(['Session ended'], section('Recent security activity'))
    expect(api.requests(securityRoutes.endSession).map(({ params }) => params['sessionId'])).toEqual(['phone', 'phone'])
  })

  test('all other sessions are ended at once; a failure shows the reason', async () => {
    const api = serve()
    api.answer(securityRoutes.sessions, [here, elsewhere, aSession({ id: 'desk' })])
    api.refuse(securityRoutes.endOtherSessions, 'internal', { message: 'Something went wrong.' })
    await openScreen('/settings')
    await press('End all others')
    await expectToast('Error', 'Something went wrong.')
    await expect.element(rows()).toHaveLength(3)
    api.answer(securityRoutes.endOtherSessions, { message: 'Ended.' })
    const answer = api.hold(securityRoutes.endOtherSessions)
    await press('End all others')
    await expectBusy('End all others')
    api.answer(securityRoutes.sessions, [here])
    answer()
    await expectToast('All other sessions ended')
    await expect.element(rows()).toHaveLength(1)
  })
})

describe('security activity', () => {
  const activity = () => section('Recent security activity')
  const rows = () => activity().getByRole('listitem')

  test('shows a text when empty', async () => {
    serve()
    await openScreen('/settings')
    await expectTexts(
      ['Nothing yet.', 'If something here was not you, end its session and choose a new password.'],
      activity(),
    )
    await expect.element(activity().getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  })

  test('has a sentence for each kind of event', async () => {
    const api = serve()
    api.answer(
      securityRoutes.securityActivity,
      SECURITY_EVENTS.map((kind) => anEvent({ id: kind, kind })),
    )
    await openScreen('/settings')
    const sentences = [
      'Account created',
      'Signed in',
      'Sign-in blocked after wrong passwords',
      'Session ended',
      'Password changed',
      'New email address asked for',
      'Change of the email address stopped',
      'Email address changed',
      'Another way to sign in',
      'Two-step sign-in switched on',
      'Two-step sign-in switched off',
      'Recovery code used',
      'New recovery codes made',
      'Passkey added',
      'Passkey removed',
      'API key made',
      'API key revoked',
      'Copy of your data requested',
      'Copy of your data downloaded',
    ]
    await expect.element(rows()).toHaveLength(sentences.length)
    for (const [at, sentence] of sentences.entries())
      await expectTexts([sentence, 'Firefox on Linux · 192.0.2.7'], rows().nth(at))
    expect(await axeFindings()).toEqual([])
  })

  test('shows the details of an event and loads more events on request', async () => {
    const api = serve()
    const first = [anEvent({ kind: 'identity_linked', detail: 'Google', ipAddress: null })]
    api.answer(securityRoutes.securityActivity, first, { total: 2, nextCursor: 'after-google' })
    await openScreen('/settings')
    await expectTexts(['Another way to sign in: Google', 'Firefox on Linux'], rows())
    api.answer(securityRoutes.securityActivity, [
      anEvent({ id: 'event-2', kind: 'account_created', device: '', ipAddress: null }),
    ])
    const answer = api.hold(securityRoutes.securityActivity)
    await press('Show more')
    await expectBusy('Show more')
    answer()
    await expectTexts(['Account created'], rows().nth(1))
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
    expect(api.requests(securityRoutes.securityActivity).at(-1)?.query['cursor']).toBe('after-google')
  })
})
