import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { aCall, NARROW, openScreen, press, serve } from '../testing.tsx'
import { answerCalls, openDetails } from './testing.tsx'

const CALL = aCall({ createdAt: '2026-11-20T12:00:00.000Z' })

let saved: Promise<{ name: string; text: string }>[] = []

/** Collects downloads instead of saving them. */
beforeEach(() => {
  saved = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const { download: name, href } = this
    saved.push(fetch(href).then(async (file) => ({ name, text: await file.text() })))
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const TEXT = {
  name: 'transcript-+12025550100-2026-11-20.txt',
  text: expect.stringMatching(
    /^Call Transcript\nCallee: \+1 202 555 0100\nDate: Nov 20, 2026.+\nDuration: 1m 5s\nStatus: completed\n\nAgent: Hello, this is Parley\.\nCallee: A table at seven is fine\.\n$/,
  ) as string,
}

// screens.md: words-call-saved-list
test('the transcript is downloaded from the history, named with number and date', async () => {
  answerCalls(serve(), () => [CALL])
  await openScreen('/call-history')
  await press('Download transcript')
  expect(await Promise.all(saved)).toEqual([TEXT])
})

test.each([
  ['on a wide screen', undefined, 'Download transcript'],
  ['on a phone', NARROW, 'Transcript'],
] as const)('the transcript and the whole call as JSON are downloaded from the details: %s', async (_, size, label) => {
  const { dialog } = await openDetails(CALL, size)
  const save = dialog.getByRole('button', { name: 'Download transcript' })
  await expect.element(save.getByText(label)).toBeVisible()
  await save.click()
  await dialog.getByRole('button', { name: 'Download as JSON' }).click()
  const [text, json] = await Promise.all(saved)
  expect(text).toEqual(TEXT)
  expect(json?.name).toBe('call-+12025550100-2026-11-20.json')
  expect(JSON.parse(json?.text ?? '')).toEqual(CALL)
})

test('an unanswered call offers only the JSON file', async () => {
  const { dialog } = await openDetails(aCall({ transcript: null, turns: [], outcomes: [] }), NARROW)
  await expect.element(dialog.getByRole('button', { name: 'Download as JSON' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Download transcript' })).not.toBeInTheDocument()
})
