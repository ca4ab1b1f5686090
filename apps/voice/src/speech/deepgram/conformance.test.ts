import { type DeepgramFarEnd, type DeepgramFarEndOptions, startDeepgramFarEnd } from '@parley/sandbox/testing'
import { virtualClock } from '@parley/voice-ports'
import { earConforms } from '@parley/voice-ports/conformance'
import { afterEach } from 'vitest'
import { underTest } from '../testing.ts'
import { createDeepgramEar } from './index.ts'

const open: DeepgramFarEnd[] = []
afterEach(async () => {
  for (const far of open.splice(0)) await far.close()
})

const deepgram =
  (model: string, manners: DeepgramFarEndOptions['manners'] = {}) =>
  async () => {
    const clock = virtualClock()
    const far = await startDeepgramFarEnd({ clock, manners })
    open.push(far)
    const ear = createDeepgramEar({ apiKey: far.apiKey, baseUrl: far.url, model })
    return underTest(clock, ear, far, () => far.drop())
  }

earConforms('Deepgram nova-3', deepgram('nova-3'))
earConforms(
  'Deepgram nova-3 with finals in parts',
  deepgram('nova-3', { finalEveryWords: 3, answersEmptyFinalize: true }),
)
earConforms('Deepgram nova-2', deepgram('nova-2'))
earConforms('Deepgram Flux, English', deepgram('flux-general-en'))
earConforms('Deepgram Flux, multilingual', deepgram('flux-general-multi'))
