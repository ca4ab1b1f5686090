import { callsRoutes } from '@parley/contract'
import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { axeFindings, type FakeApi, openScreen, press, serve } from '../testing.tsx'
import { expectBusy, expectToast } from './testing.tsx'

const SAMPLE_RATE_HZ = 8000
const LISTEN = 'Listen to the voice Default'
const listen = (name: string | RegExp = LISTEN) => page.getByRole('button', { name, exact: true })

/** So much silence, as a WAV file of 16 bits. */
function silence(ms: number): Uint8Array<ArrayBuffer> {
  const samples = (ms * SAMPLE_RATE_HZ) / 1000
  const view = new DataView(new ArrayBuffer(44 + samples * 2))
  const ascii = (at: number, text: string) => {
    for (const [index, letter] of Array.from(text).entries()) view.setUint8(at + index, letter.charCodeAt(0))
  }
  ascii(0, 'RIFF')
  view.setUint32(4, 36 + samples * 2, true)
  ascii(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, SAMPLE_RATE_HZ, true)
  view.setUint32(28, SAMPLE_RATE_HZ * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  ascii(36, 'data')
  view.setUint32(40, samples * 2, true)
  return new Uint8Array(view.buffer)
}

/** Answers with a sound, when it is let; returns what was asked for. */
function serveSound(api: FakeApi, ms: number, until: Promise<unknown> = Promise.resolve()): string[] {
  const asked: string[] = []
  api.elsewhere(/\/api\/voices\/preview/, async ({ url }) => {
    asked.push(new URL(url).search)
    await until
    return new Response(silence(ms), { headers: { 'content-type': 'audio/wav' } })
  })
  return asked
}

describe('the preview of the voice', () => {
  test('loads, plays, and can be stopped', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const asked = serveSound(serve(), 60_000, promise)
    await openScreen('/settings')
    await expect.element(listen()).toHaveTextContent('Listen')
    await press(LISTEN)
    await expectBusy(LISTEN)
    resolve(undefined)
    await expect.element(listen('Stop')).toBeVisible()
    expect(asked).toEqual(['?voice=default&language=en'])
    expect(await axeFindings()).toEqual([])
    await press('Stop')
    await expect.element(listen()).toBeVisible()
  })

  test('is idle again at its end', async () => {
    serveSound(serve(), 60_000)
    const sources = vi.spyOn(AudioContext.prototype, 'createBufferSource')
    await openScreen('/settings')
    await press(LISTEN)
    await expect.element(listen('Stop')).toBeVisible()
    for (const { value } of sources.mock.results) (value as AudioBufferSourceNode).dispatchEvent(new Event('ended'))
    await expect.element(listen()).toBeVisible()
  })

  test('is of the voice and language that are chosen, and stops when another is chosen', async () => {
    const asked = serveSound(serve(), 60_000)
    await openScreen('/settings')
    await page.getByRole('combobox', { name: 'Default Language' }).click()
    await page.getByRole('option', { name: 'Japanese', exact: true }).click()
    await press(LISTEN)
    await expect.element(listen('Stop')).toBeVisible()
    await page.getByRole('combobox', { name: 'Default Voice' }).click()
    await page.getByRole('option', { name: 'Warm (Female)', exact: true }).click()
    await press('Listen to the voice Warm (Female)')
    await expect.element(listen('Stop')).toBeVisible()
    expect(asked).toEqual(['?voice=default&language=ja', '?voice=warm&language=ja'])
  })

  test.each([
    ['the server’s sentence', 'This voice cannot be played right now. Please try again.', true],
    ['a sentence of its own', 'This voice could not be played.', false],
  ])('says with %s that it failed', async (_, sentence, isSaid) => {
    const api = serve()
    if (isSaid) api.refuse(callsRoutes.voicePreview, 'unavailable', { message: sentence })
    else api.send(callsRoutes.voicePreview, 'no sound')
    await openScreen('/settings')
    await press(LISTEN)
    await expectToast('Error', sentence)
    await expect.element(listen()).toBeVisible()
    expect(await axeFindings()).toEqual([])
  })

  test('speaks Spanish where the page does', async () => {
    serveSound(serve(), 60_000)
    await openScreen('/settings', { language: 'es' })
    const button = page.getByRole('button', { name: 'Escuchar la voz Predeterminada', exact: true })
    await expect.element(button).toHaveTextContent('Escuchar')
    await button.click()
    await expect.element(page.getByRole('button', { name: 'Detener', exact: true })).toBeVisible()
  })
})
