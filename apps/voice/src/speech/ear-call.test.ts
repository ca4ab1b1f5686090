import { SpeechScript, startDeepgramFarEnd, startOpenaiTranscription } from '@parley/sandbox/testing'
import { FRAME_MS } from '@parley/voice-ports'
import { afterEach, expect, it } from 'vitest'
import { steadySpeech } from '../session/testing/fakes.ts'
import { stageCall } from '../session/testing/staged-call.ts'
import { createDeepgramEar } from './deepgram/index.ts'
import { createOpenaiEar } from './openai/index.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A whole call whose callee is heard by sound alone, over the sockets of vendors. */
async function called() {
  const script = new SpeechScript()
  const deepgram = await startDeepgramFarEnd({ script })
  const openai = await startOpenaiTranscription({ script })
  closing.push(
    () => deepgram.close(),
    () => openai.close(),
  )
  const call = stageCall({
    ears: [
      createDeepgramEar({ apiKey: deepgram.apiKey, baseUrl: deepgram.url, model: 'nova-3' }),
      createOpenaiEar({ apiKey: openai.apiKey, baseUrl: openai.url, model: 'gpt-live-transcribe' }),
    ],
  })
  call.far.capabilities = { ...call.far.capabilities, text: false }
  const settle = async () => {
    await deepgram.settle()
    await openai.settle()
  }
  const advance = async (ms: number) => {
    for (let at = 0; at < ms; at += FRAME_MS) {
      await call.clock.advance(FRAME_MS)
      await settle()
    }
  }
  const says = async (text: string, atMs = Infinity, then = () => undefined as void) => {
    const { words, audio } = steadySpeech(text)
    script.say({ text, words })
    await call.far.say(text)
    const lengthMs = audio.length / 8
    await advance(Math.min(atMs, lengthMs))
    then()
    await advance(lengthMs - Math.min(atMs, lengthMs) + 6000)
  }
  await advance(500)
  call.far.ring()
  await advance(1000)
  call.far.answer()
  await advance(9000)
  return { call, deepgram, openai, says }
}

it('answers a callee who is heard by Deepgram, and by OpenAI from the word on in which Deepgram breaks', async () => {
  const { call, deepgram, openai, says } = await called()
  await says('We have one at eight.')
  await says('Yes, it is for four people, by the window.', 1500, () => {
    deepgram.faults.next({ how: 'refused', status: 503 })
    deepgram.drop()
  })
  expect(deepgram.upgrades).toHaveLength(2)
  expect(openai.upgrades).toHaveLength(1)
  const callee = call.turns().filter(({ speaker }) => speaker === 'user')
  expect(callee.map(({ text }) => text)).toEqual([
    'We have one at eight.',
    'Yes, it is for four people, by the window.',
  ])
  // Each turn of the callee was answered.
  expect(
    call
      .turns()
      .map(({ speaker }) => speaker)
      .join(' '),
  ).toMatch(/user agent user agent$/)
  call.far.end('remote')
  await call.over()
})
