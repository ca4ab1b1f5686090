import { securityRoutes } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, bodiesOf, expectTexts, findingsInLooks, openScreen, press, serve } from '../testing.tsx'
import { expectBusy, expectToast, pressIn, section } from './testing.tsx'

const SECRET = 'JBSWY3DPEHPK3PXP'
const SETUP = { uri: `otpauth://totp/Parley:ada@parley.example?secret=${SECRET}&issuer=Parley`, secret: SECRET }
const CODES = Array.from({ length: 10 }, (_, at) => `code-${at}-abcdef`)
const KEEP =
  'Two-step sign-in is on. Keep these codes: each signs you in once without the app. They are not shown again.'
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true })
const factor = () => section('Two-step sign-in')

function serveFactor(recoveryCodesLeft: number) {
  const api = serve()
  api.answer(securityRoutes.secondFactor, { enabled: true, recoveryCodesLeft })
  return api
}

test.each([
  [10, '10 unused recovery codes'],
  [1, '1 unused recovery code'],
  [0, '0 unused recovery codes'],
])('with %i recovery codes left shows "%s"', async (left, sentence) => {
  serveFactor(left)
  await openScreen('/settings')
  await expectTexts(['On', sentence, 'A code of an authenticator app, asked for after your password.'], factor())
})

describe('setting up an authenticator app', () => {
  const setUp = () => dialog('Set up an authenticator app')

  test('shows the secret, asks for a first code and shows recovery codes', async () => {
    const api = serve()
    api.answer(securityRoutes.setUpSecondFactor, SETUP)
    api.answer(securityRoutes.confirmSecondFactor, { recoveryCodes: CODES })
    await openScreen('/settings')
    await expectTexts(['Off'], factor())
    const begin = api.hold(securityRoutes.setUpSecondFactor)
    await press('Set up an authenticator app')
    await expectTexts(['Scan the picture with your authenticator app, then type the code that it shows.'], setUp())
    await expect.element(setUp().getByRole('img')).not.toBeInTheDocument()
    begin()
    await expect.element(setUp().getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    await expect.element(setUp().getByLabelText('Or type this key into the app')).toHaveValue(SECRET)
    expect(await findingsInLooks()).toEqual([])

    await pressIn(setUp(), 'Switch on')
    await expectTexts(['Please fill in all required fields.'], setUp())
    await setUp().getByLabelText('Code of the app').fill('123456')
    const answer = api.hold(securityRoutes.confirmSecondFactor)
    await pressIn(setUp(), 'Switch on')
    await expectBusy('Switch on', setUp())
    api.answer(securityRoutes.secondFactor, { enabled: true, recoveryCodesLeft: 10 })
    answer()
    await expectTexts([KEEP, ...CODES], setUp())
    await expect.element(setUp().getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveLength(10)
    expect(await findingsInLooks()).toEqual([])
    await pressIn(setUp(), 'I have kept them')
    await expect.element(setUp()).not.toBeInTheDocument()
    await expectTexts(['On', '10 unused recovery codes'], factor())
    expect(bodiesOf(api.requests(securityRoutes.confirmSecondFactor))).toEqual([{ code: '123456' }])
  })

  test('a failed start offers a retry, and each set-up has its own secret', async () => {
    const api = serve()
    api.refuse(securityRoutes.setUpSecondFactor, 'unavailable')
    await openScreen('/settings')
    await press('Set up an authenticator app')
    await expectTexts(['The set-up could not begin'], setUp())
    expect(await axeFindings()).toEqual([])
    api.answer(securityRoutes.setUpSecondFactor, SETUP)
    const answer = api.hold(securityRoutes.setUpSecondFactor)
    await pressIn(setUp(), 'Try again')
    await expect.element(setUp().getByText('The set-up could not begin')).not.toBeInTheDocument()
    answer()
    await expect.element(setUp().getByLabelText('Or type this key into the app')).toHaveValue(SECRET)
    await pressIn(setUp(), 'Close')
    api.answer(securityRoutes.setUpSecondFactor, { ...SETUP, secret: 'KRUGS4ZANFZSAYJA' })
    await press('Set up an authenticator app')
    await expect.element(setUp().getByLabelText('Or type this key into the app')).toHaveValue('KRUGS4ZANFZSAYJA')
  })

  test('a wrong code shows an error and keeps the set-up open', async () => {
    const api = serve()
    api.answer(securityRoutes.setUpSecondFactor, SETUP)
    api.refuse(securityRoutes.confirmSecondFactor, 'wrong_code', { message: 'The code is wrong or was already used.' })
    await openScreen('/settings')
    await press('Set up an authenticator app')
    await setUp().getByLabelText('Code of the app').fill('not a code')
    await pressIn(setUp(), 'Switch on')
    await expect.element(setUp().getByRole('alert')).toHaveTextContent('The code is wrong or was already used.')
    await expect.element(setUp().getByLabelText('Or type this key into the app')).toHaveValue(SECRET)
    expect(await axeFindings()).toEqual([])
    api.lose(securityRoutes.confirmSecondFactor)
    await pressIn(setUp(), 'Switch on')
    await expect.element(setUp().getByRole('alert')).toHaveTextContent('The code was not accepted.')
  })
})

test('new recovery codes replace the old ones and can be downloaded', async () => {
  const api = serveFactor(1)
  api.refuse(securityRoutes.renewRecoveryCodes, 'wrong_code', { message: 'The code is wrong or was already used.' })
  await openScreen('/settings')
  await press('Make new recovery codes')
  const renewal = dialog('Make new recovery codes')
  await expectTexts(['The codes you have now stop working.'], renewal)
  await renewal.getByLabelText('Code of the app, or a recovery code').fill('000000')
  await pressIn(renewal, 'Make new recovery codes')
  await expect.element(renewal.getByRole('alert')).toHaveTextContent('The code is wrong or was already used.')
  expect(await axeFindings()).toEqual([])
  api.answer(securityRoutes.renewRecoveryCodes, { recoveryCodes: CODES })
  api.answer(securityRoutes.secondFactor, { enabled: true, recoveryCodesLeft: 10 })
  const answer = api.hold(securityRoutes.renewRecoveryCodes)
  await pressIn(renewal, 'Make new recovery codes')
  await expectBusy('Make new recovery codes', renewal)
  answer()
  await expectTexts([KEEP, 'code-9-abcdef'], renewal)

  const saved: { name: string; text: Promise<string> }[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: fetch(this.href).then(async (file) => file.text()) })
  })
  await pressIn(renewal, 'Download')
  await expect.poll(() => saved.map(({ name }) => name)).toEqual(['parley-recovery-codes.txt'])
  expect(await saved[0]?.text).toBe(`Parley: Recovery codes\n\n${CODES.join('\n')}\n`)
  click.mockRestore()
  await pressIn(renewal, 'I have kept them')
  await expectTexts(['10 unused recovery codes'], factor())
  expect(bodiesOf(api.requests(securityRoutes.renewRecoveryCodes))).toEqual([{ code: '000000' }, { code: '000000' }])
})

test('the second factor is switched off with a code; a wrong code keeps the dialog open', async () => {
  const api = serveFactor(9)
  api.refuse(securityRoutes.disableSecondFactor, 'wrong_code', { message: 'The code is wrong or was already used.' })
  await openScreen('/settings')
  await press('Switch off')
  const asked = dialog('Switch off')
  await expectTexts(['You will sign in with your password alone.'], asked)
  await asked.getByLabelText('Code of the app, or a recovery code').fill('code-1')
  await pressIn(asked, 'Switch off')
  await expect.element(asked.getByRole('alert')).toHaveTextContent('The code is wrong or was already used.')
  expect(await axeFindings()).toEqual([])
  const off = { enabled: false, recoveryCodesLeft: 0 }
  api.answer(securityRoutes.disableSecondFactor, off)
  const answer = api.hold(securityRoutes.disableSecondFactor)
  await pressIn(asked, 'Switch off')
  await expectBusy('Switch off', asked)
  api.answer(securityRoutes.secondFactor, off)
  answer()
  await expectToast('Two-step sign-in is off')
  await expect.element(asked).not.toBeInTheDocument()
  await expectTexts(['Off'], factor())
  await expect.element(page.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible()
})
