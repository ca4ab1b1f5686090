import { accountsRoutes, noticesRoutes, securityRoutes, SETTINGS_DEFAULTS } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { aDelivery, expectBusy, expectToast, HOOK, serveHook } from './testing.tsx'

const rows = () => page.getByRole('list', { name: 'Recent deliveries' }).getByRole('listitem')

describe('webhook URL', () => {
  test.each([
    ['http://192.168.0.1/hook', 'The webhook URL must begin with https://.'],
    ['https://169.254.169.254/latest', 'The webhook URL must be an address on the public internet.'],
    ['https://me:secret@hooks.example.org/', 'The webhook URL must not carry a user name or a password.'],
  ])('%s, refused by the server, shows its message and no test button', async (url, message) => {
    const api = serve()
    api.refuse(accountsRoutes.changeSettings, 'webhook_url_refused', { message, field: 'webhookUrl' })
    await openScreen('/settings')
    await page.getByLabelText('Webhook URL').fill(url)
    await press('Save Call Settings')
    await expectToast('Error', message)
    expect(bodiesOf(api.requests(accountsRoutes.changeSettings))).toEqual([{ webhookUrl: url }])
    await expect.element(page.getByRole('button', { name: 'Send test' })).not.toBeInTheDocument()
  })

  test('a saved one can be tested; a removed one cannot', async () => {
    const api = serve()
    api.answer(accountsRoutes.changeSettings, { ...SETTINGS_DEFAULTS, webhookUrl: HOOK })
    await openScreen('/settings')
    await page.getByLabelText('Webhook URL').fill(HOOK)
    await press('Save Call Settings')
    await expectTexts([
      `A test event to ${HOOK}`,
      'Recent deliveries',
      'Nothing sent yet. Send a test, or place a call.',
    ])
    api.answer(accountsRoutes.changeSettings, SETTINGS_DEFAULTS)
    await page.getByLabelText('Webhook URL').fill('')
    await press('Save Call Settings')
    await expect.element(page.getByRole('button', { name: 'Send test' })).not.toBeInTheDocument()
    expect(bodiesOf(api.requests(accountsRoutes.changeSettings))).toEqual([{ webhookUrl: HOOK }, { webhookUrl: '' }])
  })
})

describe('webhook test', () => {
  test.each([
    [true, 'Your webhook took the test event.', 'status'],
    [false, 'It answered 500.', 'alert'],
  ] as const)('with delivered=%s shows "%s" and refetches the deliveries', async (delivered, message, role) => {
    const api = serveHook()
    api.answer(securityRoutes.testWebhook, { delivered, status: delivered ? 200 : 500, message })
    await openScreen('/settings')
    const answer = api.hold(securityRoutes.testWebhook)
    await press('Send test')
    await expectBusy('Send test')
    api.answer(noticesRoutes.deliveries, [aDelivery({ type: 'test', status: delivered ? 'delivered' : 'failed' })])
    answer()
    await expect.element(page.getByRole(role).filter({ hasText: message })).toBeVisible()
    await expect.element(rows().getByText(delivered ? 'Delivered' : 'Failed', { exact: true })).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('shows why the test could not be sent', async () => {
    const api = serveHook()
    api.lose(securityRoutes.testWebhook)
    await openScreen('/settings')
    await press('Send test')
    await expect.element(page.getByRole('alert').filter({ hasText: 'The test could not be sent.' })).toBeVisible()
    api.refuse(securityRoutes.testWebhook, 'unavailable', { message: 'Webhooks are switched off.' })
    await press('Send test')
    await expect.element(page.getByRole('alert').filter({ hasText: 'Webhooks are switched off.' })).toBeVisible()
  })
})

describe('deliveries', () => {
  test('show status, attempts and response; a failed one can be sent again', async () => {
    serveHook([
      aDelivery({ id: '1', type: 'call.started', status: 'waiting', attempts: 0, responseStatus: null }),
      aDelivery({ id: '2', type: 'call.completed', status: 'delivered', attempts: 1 }),
      aDelivery({
        id: '3',
        type: 'batch.completed',
        status: 'failed',
        attempts: 4,
        responseStatus: 500,
        error: 'It answered 500.',
      }),
    ])
    await openScreen('/settings')
    await expect.element(rows().nth(0)).toMatchTextContent(/^call\.started.*Waiting.* · 0 attempts$/)
    await expect.element(rows().nth(1)).toMatchTextContent(/^call\.completed.*Delivered.* · 1 attempt · answered 200$/)
    await expect
      .element(rows().nth(2))
      .toMatchTextContent(/^batch\.completed.*Failed.* · 4 attempts · It answered 500\.Send again$/)
    await expect
      .element(page.getByRole('button', { name: /^Send again/ }))
      .toHaveAccessibleName('Send again: batch.completed')
    await expectTexts(['Tells your program that an event is really ours'])
    await expect.element(page.getByLabelText('Signing secret')).toHaveValue('whsec_c2VjcmV0')
  })

  test('a replayed delivery is polled until it is decided', async () => {
    const failed = aDelivery({ type: 'test', status: 'failed', error: 'It answered 500.', responseStatus: 500 })
    const api = serveHook([failed])
    api.answer(noticesRoutes.replay, { ...failed, status: 'waiting' })
    await openScreen('/settings')
    const answer = api.hold(noticesRoutes.replay)
    await press('Send again: test')
    await expectBusy('Send again: test')
    api.answer(noticesRoutes.deliveries, [{ ...failed, status: 'waiting' }])
    answer()
    await expectToast('Sent again')
    await expect.element(rows()).toMatchTextContent(/Waiting/)
    api.answer(noticesRoutes.deliveries, [aDelivery({ type: 'test', attempts: 2 })])
    await expect.element(rows()).toMatchTextContent(/Delivered.* · 2 attempts · answered 200$/)
    expect(api.requests(noticesRoutes.replay).map((asked) => asked.params['deliveryId'])).toEqual([failed.id])
  })

  test('a failed replay shows the reason', async () => {
    const api = serveHook([aDelivery({ status: 'failed', error: 'Nobody answered.', responseStatus: null })])
    api.send(noticesRoutes.replay, '', { status: 500 })
    await openScreen('/settings')
    await press('Send again: call.completed')
    await expectToast('Error', 'Failed to send it again.')
    api.refuse(noticesRoutes.replay, 'conflict', { message: 'It is on its way already.' })
    await press('Send again: call.completed')
    await expectToast('Error', 'It is on its way already.')
  })

  test('are translated when the page is in Spanish', async () => {
    const api = serveHook([aDelivery({ status: 'failed', error: 'It answered 500.', responseStatus: 500 })])
    api.answer(securityRoutes.testWebhook, { delivered: false, status: 500, message: 'It answered 500.' })
    await openScreen('/settings', { language: 'es' })
    await press('Enviar prueba')
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expect.element(page.getByRole('main')).not.toMatchTextContent('It answered 500.')
  })
})
