import { describe, expect, it } from 'vitest'
import { type Ear, type Frame, FRAME_BYTES, virtualClock, voiceShape } from '@parley/voice-ports'
import { earChecks, earConforms, type EarCheck, type EarUnderTest } from '@parley/voice-ports/conformance'
import { createScriptedEar, synthesize } from '@parley/sandbox'

earConforms('real-time text', () => underTest(createScriptedEar()))

function underTest(ear: Ear): EarUnderTest {
  const clock = virtualClock()
  const { audio, words } = synthesize('Yes, Friday at seven is fine with us.', voiceShape('default'))
  const frames: Frame[] = Array.from({ length: Math.ceil(audio.length / FRAME_BYTES) }, (_, at) => {
    const padded = new Uint8Array(FRAME_BYTES).fill(0xff)
    padded.set(audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES))
    const text = words.filter(({ endMs }) => Math.ceil(endMs / 20) - 1 === at).map((word) => word.text)
    return text.length > 0 ? { audio: padded, text: text.join(' ') } : { audio: padded }
  })
  return { ear, clock, advance: (ms) => clock.advance(ms), frames, words, finalWithinMs: 20 }
}

type Listen = Ear['listen']

/** The same ear, listening otherwise. */
function spoiledEar(spoil: (listen: Listen) => Listen): () => EarUnderTest {
  const ear = createScriptedEar()
  return () =>
    underTest({ name: 'spoiled', listen: spoil((language, clock, onEvent) => ear.listen(language, clock, onEvent)) })
}

const earFaults: [string, EarCheck, () => EarUnderTest, RegExp][] = [
  [
    'words in silence',
    'silence brings no words',
    spoiledEar((listen) => (language, clock, onEvent) => {
      const listener = listen(language, clock, onEvent)
      return { ...listener, push: (frame) => listener.push({ ...frame, text: 'thank you' }) }
    }),
    /silence was heard/,
  ],
  [
    'words before their sound',
    'no word comes before its sound',
    spoiledEar((listen) => (language, clock, onEvent) => {
      const listener = listen(language, clock, onEvent)
      let first = true
      return {
        ...listener,
        push(frame) {
          listener.push(first ? { ...frame, text: 'Yes, Friday' } : frame)
          first = false
        },
      }
    }),
    /ahead of its sound/,
  ],
  [
    'two finals',
    'words come as partials while they are spoken and once as final',
    spoiledEar(
      (listen) => (language, clock, onEvent) =>
        listen(language, clock, (event) => {
          onEvent(event)
          if (event.type === 'words' && event.final) onEvent(event)
        }),
    ),
    /2 finals/,
  ],
  [
    'text that is never closed',
    'the utterance after a final begins empty',
    spoiledEar((listen) => (language, clock, onEvent) => {
      let all = ''
      return listen(language, clock, (event) => {
        if (event.type !== 'words' || !event.final) return onEvent(event)
        all = `${all} ${event.text}`.trim()
        onEvent({ ...event, text: all })
      })
    }),
    /second utterance/,
  ],
  [
    'times of another clock',
    'times of words never decrease and never exceed now',
    spoiledEar(
      (listen) => (language, clock, onEvent) =>
        listen(language, clock, (event) =>
          onEvent(event.type === 'words' ? { ...event, atMs: event.atMs + 1e6 } : event),
        ),
    ),
    /ahead of now/,
  ],
  [
    'an ear that stays open',
    'a closed ear brings no words',
    spoiledEar((listen) => (language, clock, onEvent) => ({ ...listen(language, clock, onEvent), close() {} })),
    /after it was closed/,
  ],
]

describe('the conformance checks', () => {
  it.each(earFaults)('reject an ear with: %s', async (_, check, make, complaint) => {
    await expect(earChecks[check](make)).rejects.toThrow(complaint)
  })
  it('are each shown failing by a fault', () => {
    expect(new Set(earFaults.map(([, check]) => check))).toEqual(new Set(Object.keys(earChecks)))
  })
})
