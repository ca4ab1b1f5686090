import { securityRoutes } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, expectTexts, openScreen, press, serve } from '../testing.tsx'
import { aKey, expectBusy, expectToast, pressIn } from './testing.tsx'

const WHOLE = 'parley_Ab12cd34ef56gh78ij90klmnopqr9xYz'
const masked = () => page.getByLabelText('API Key', { exact: true })
const rows = () => page.getByRole('list', { name: 'Keys in use' }).getByRole('listitem')
const question = () => page.getByRole('alertdialog', { name: 'Revoke this key?' })

test('without a key shows a placeholder and explains API keys', async () => {
  const api = serve()
  const answer = api.hold(securityRoutes.apiKeys)
  await openScreen('/settings')
  await expect.element(masked()).toHaveAttribute('placeholder', 'Loading')
  answer()
  await expect.element(masked()).toHaveAttribute('placeholder', 'No key yet')
  await expectTexts([
    'Security',
    'Who and what can get into your account.',
    'Lets your own programs place calls and read their outcomes. The full key is shown only once, when you create it.',
  ])
  await expect.element(rows()).not.toBeInTheDocument()
})

describe('new API key', () => {
  test('is shown once in full with a copy button, then masked in the list', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    const api = serve()
    api.answer(securityRoutes.createApiKey, { ...aKey(), key: WHOLE })
    await openScreen('/settings')
    const answer = api.hold(securityRoutes.createApiKey)
    await press('Generate New')
    await expectBusy('Generate New')
    api.answer(securityRoutes.apiKeys, [aKey()])
    answer()
    await expect.element(page.getByLabelText('Your new key')).toHaveValue(WHOLE)
    await expect.element(page.getByLabelText('Your new key')).toHaveAttribute('readonly')
    await expectTexts(['Copy it now and keep it safe: it will not be shown again.'])
    await expectTexts(['parley_Ab12…9xYz', /· never used$/], rows())
    await press('Copy')
    await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(copied).toHaveBeenCalledWith(WHOLE)
    expect(await axeFindings()).toEqual([])
    copied.mockRestore()
  })

  test('is selected when the clipboard is denied', async () => {
    const copied = vi
      .spyOn(navigator.clipboard, 'writeText')
      .mockRejectedValue(new DOMException('No.', 'NotAllowedError'))
    const api = serve()
    api.answer(securityRoutes.createApiKey, { ...aKey(), key: WHOLE })
    await openScreen('/settings')
    await press('Generate New')
    await press('Copy')
    await expect.poll(() => copied.mock.calls.length).toBe(1)
    const field = page.getByLabelText('Your new key').element()
    expect(field instanceof HTMLInputElement && [field.selectionStart, field.selectionEnd]).toEqual([0, WHOLE.length])
    await expect.element(page.getByRole('button', { name: 'Copy', exact: true })).toBeVisible()
    copied.mockRestore()
  })

  test('a failed creation shows the reason', async () => {
    const api = serve()
    api.lose(securityRoutes.createApiKey)
    await openScreen('/settings')
    await press('Generate New')
    await expectToast('Error', 'Failed to create an API key.')
    api.refuse(securityRoutes.createApiKey, 'conflict', { message: 'There are 20 keys already.' })
    await press('Generate New')
    await expectToast('Error', 'There are 20 keys already.')
  })
})

describe('API key in use', () => {
  const older = aKey({ id: 'key-2', masked: 'parley_Cd34…7wVu', lastUsedAt: '2026-11-20T10:00:00.000Z' })

  test('shows its creation and last use; the newest is in a read-only field', async () => {
    const api = serve()
    api.answer(securityRoutes.apiKeys, [aKey(), older])
    await openScreen('/settings')
    await expect.element(masked()).toHaveValue('parley_Ab12…9xYz')
    await expect.element(masked()).toHaveAttribute('readonly')
    await expectTexts(['Made Nov 1, 2026 · never used'], rows().nth(0))
    await expectTexts(['parley_Cd34…7wVu', 'Made Nov 1, 2026 · last used Nov 20, 2026'], rows().nth(1))
  })

  test('is revoked after confirmation and leaves the list', async () => {
    const api = serve()
    api.answer(securityRoutes.apiKeys, [aKey(), older])
    await openScreen('/settings')
    await press('Revoke the key parley_Cd34…7wVu')
    await expectTexts(['Programs that use it stop working at once.'], question())
    expect(await axeFindings()).toEqual([])
    await pressIn(question(), 'Cancel')
    await expect.element(question()).not.toBeInTheDocument()
    expect(api.requests(securityRoutes.revokeApiKey)).toEqual([])

    await press('Revoke the key parley_Cd34…7wVu')
    api.answer(securityRoutes.revokeApiKey, { message: 'Revoked.' })
    const answer = api.hold(securityRoutes.revokeApiKey)
    await pressIn(question(), 'Revoke')
    await expectBusy('Revoke', question())
    api.answer(securityRoutes.apiKeys, [aKey()])
    answer()
    await expectToast('Key revoked')
    await expect.element(question()).not.toBeInTheDocument()
    await expect.element(page.getByText('parley_Cd34…7wVu')).not.toBeInTheDocument()
    expect(api.requests(securityRoutes.revokeApiKey).map(({ params }) => params['keyId'])).toEqual(['key-2'])
  })

  test('a failed revocation shows the error and keeps the key', async () => {
    const api = serve()
    api.answer(securityRoutes.apiKeys, [aKey()])
    api.send(securityRoutes.revokeApiKey, '', { status: 500 })
    await openScreen('/settings')
    await press('Revoke the key parley_Ab12…9xYz')
    await pressIn(question(), 'Revoke')
    await expectToast('Error', 'Failed to revoke the API key.')
    await expect.element(question()).not.toBeInTheDocument()
    await expectTexts(['parley_Ab12…9xYz'], rows())
  })
})
