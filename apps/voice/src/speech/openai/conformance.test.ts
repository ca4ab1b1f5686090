import { type OpenaiTranscriptionFarEnd, startOpenaiTranscription } from '@parley/sandbox/testing'
import { virtualClock } from '@parley/voice-ports'
import { earConforms } from '@parley/voice-ports/conformance'
import { afterEach } from 'vitest'
import { underTest } from '../testing.ts'
import { createOpenaiEar } from './index.ts'

const open: OpenaiTranscriptionFarEnd[] = []
afterEach(async () => {
  for (const far of open.splice(0)) await far.close()
})

const openai = (model: string) => async () => {
  const clock = virtualClock()
  const far = await startOpenaiTranscription({ clock })
  open.push(far)
  const ear = createOpenaiEar({ apiKey: far.apiKey, baseUrl: far.url, model })
  return underTest(clock, ear, far, () => far.drop())
}

earConforms('OpenAI gpt-live-transcribe', openai('gpt-live-transcribe'))
earConforms('OpenAI gpt-realtime-whisper', openai('gpt-realtime-whisper'))
