import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen, serve } from '../testing.tsx'

// screens.md: says-agreed
test.each([
  [
    '/terms-of-service',
    [
      /Effective 28\/07\/2025/,
      /at least 18 years old and able to enter into a binding contract/,
      /lawful purposes only/,
      /spam calling/,
      /illegal calls/,
      /harassment, threats/,
      /fraud/,
      /any other purpose that is unlawful/,
      /may lead to the suspension or termination of your account/,
      /bought upfront/,
      /non-refundable/,
      /transcripts are stored/,
      /By using the service you consent to the recording of your calls and to the storage/,
      /provided as is/,
      /may change at any time/,
      /We may end your use of the service at any time/,
      /England and Wales/,
    ],
  ],
  [
    '/privacy-policy',
    [
      /last updated.* 2025/i,
      /Identity data/,
      /Contact data/,
      /Call data: transcripts, recordings and metadata/,
      /Usage data/,
      /Technical data/,
      /Transactional data/,
      /Communications data/,
      /legitimate interests:/,
      /performance of an agreement:/,
      /legal compliance:/,
      /consent: where we ask for it/,
      /access the personal data/,
      /wrong data rectified/,
      /data erased, or ported/,
      /withdraw a consent/,
      /based solely on automated processing/,
      /restricted, or object to it/,
      /Requests and complaints go by e-mail\. Write to support@parley\.example/,
    ],
  ],
])('%s contains every clause of the specification', async (path, sentences) => {
  serve(null)
  await openScreen(path)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  const text = document.body.innerText
  expect(sentences.filter((sentence) => !sentence.test(text))).toEqual([])
})
