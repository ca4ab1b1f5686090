import { describe, expect, it } from 'vitest'
import {
  type Ear,
  type EarEvent,
  FRAME_BYTES,
  FRAME_MS,
  type Frame,
  type Listening,
  virtualClock,
  voiceShape,
} from '@parley/voice-ports'
import {
  earChecks,
  earConforms,
  type EarCheck,
  type EarUnderTest,
  type Utterance,
} from '@parley/voice-ports/conformance'
import { createScriptedEar, type ScriptedEar, type ScriptedEarOptions } from './ear.ts'
import { synthesize } from './synthetic.ts'

function utterance(text: string): Utterance {
  const { audio, words } = synthesize(text, voiceShape('default'))
  const frames: Frame[] = Array.from({ length: Math.ceil(audio.length / FRAME_BYTES) }, (_, at) => {
    const padded = new Uint8Array(FRAME_BYTES).fill(0xff)
    padded.set(audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES))
    const ended = words.filter(({ endMs }) => Math.ceil(endMs / FRAME_MS) - 1 === at).map((word) => word.text)
    return ended.length > 0 ? { audio: padded, text: ended.join(' ') } : { audio: padded }
  })
  return { frames, words }
}

function underTest(ear: Ear, lose: () => void): EarUnderTest {
  const clock = virtualClock()
  const other = { language: 'es', ...utterance('Perdone, no hablo inglés, ¿quién es usted?') }
  const sentence = utterance('Yes, Friday at seven is fine with us.')
  return { ear, clock, advance: (ms) => clock.advance(ms), ...sentence, other, readyWithinMs: 20, lose }
}

const scripted = (options?: ScriptedEarOptions) => () => {
  const ear = createScriptedEar(options)
  return underTest(ear, () => ear.lose())
}

earConforms('real-time text', scripted())
earConforms('real-time text with revised partials', scripted({ revises: true }))
earConforms('real-time text with late finals', scripted({ finalsLateMs: 1500 }))

type Spoiled = (listening: Listening, tell: (event: EarEvent) => void) => Partial<Listening>

/** The scripted ear, with its events and its listening spoiled. */
function spoiled(
  events: (event: EarEvent, tell: (event: EarEvent) => void) => void,
  changes: Spoiled = () => ({}),
  options?: ScriptedEarOptions,
) {
  return () => {
    const ear: ScriptedEar = createScriptedEar(options)
    const listen: Ear['listen'] = (listenOptions, clock, onEvent) => {
      const listening = ear.listen(listenOptions, clock, (event) => events(event, onEvent))
      return { ...listening, ...changes(listening, onEvent) }
    }
    return underTest({ ...ear, listen }, () => ear.lose())
  }
}

const asItIs = (event: EarEvent, tell: (event: EarEvent) => void) => tell(event)
const without = (type: EarEvent['type']) => (event: EarEvent, tell: (event: EarEvent) => void) =>
  event.type === type ? undefined : tell(event)
const FAILED: EarEvent = { type: 'failed', message: 'Lost.', retryable: true, retryAfterMs: null }

const faults: [string, EarCheck, () => EarUnderTest, RegExp][] = [
  ['no ready', 'ready comes once and before anything else', spoiled(without('ready')), /is missing, not ready/],
  [
    'ready at every word',
    'ready comes once and before anything else',
    spoiled((event, tell) => {
      if (event.type === 'words') tell({ type: 'ready' })
      tell(event)
    }),
    /more than once/,
  ],
  [
    'words in silence',
    'silence brings no words',
    spoiled(asItIs, (ear) => ({ push: (frame) => ear.push({ ...frame, text: 'thank you' }) })),
    /silence was heard/,
  ],
  [
    'words before their sound',
    'no word comes before its sound',
    spoiled(asItIs, (ear) => {
      let first = true
      return {
        push(frame) {
          ear.push(first ? { ...frame, text: 'Yes, Friday' } : frame)
          first = false
        },
      }
    }),
    /ahead of its sound/,
  ],
  [
    'two finals',
    'words come as partials while they are spoken and once as final',
    spoiled((event, tell) => {
      tell(event)
      if (event.type === 'words' && event.final) tell(event)
    }),
    /2 finals/,
  ],
  [
    'partials of the newest word alone',
    'a revised partial keeps the words before it',
    spoiled((event, tell) =>
      tell(event.type === 'words' && !event.final ? { ...event, text: event.text.split(' ').at(-1)! } : event),
    ),
    /no partial had more than 1 words/,
  ],
  [
    'a partial that loses words',
    'a revised partial keeps the words before it',
    spoiled((event, tell) => {
      tell(event)
      const words = event.type === 'words' ? event.text.split(' ') : []
      if (event.type === 'words' && words.length === 5) tell({ ...event, text: words.slice(3).join(' ') })
    }),
    /of 5 words .* was left/,
  ],
  [
    'no settled',
    'finalize() is answered by one settled within the stated time, also in silence',
    spoiled(asItIs, undefined, { neverSettles: true }),
    /0 settled came for an utterance/,
  ],
  [
    'no settled in silence',
    'finalize() is answered by one settled within the stated time, also in silence',
    spoiled(asItIs, (ear) => {
      let heard = false
      return {
        push(frame) {
          heard ||= frame.text !== undefined
          ear.push(frame)
        },
        finalize() {
          if (heard) ear.finalize()
          heard = false
        },
      }
    }),
    /0 settled came for silence/,
  ],
  [
    'settled before the final',
    'settled comes after the final of the words before it',
    spoiled((event, tell) => {
      if (event.type === 'words' && event.final) tell({ type: 'settled' })
      tell(event)
    }),
    /came after settled/,
  ],
  [
    'words long after settled',
    'settled comes after the final of the words before it',
    () => {
      const ear = createScriptedEar()
      const listen: Ear['listen'] = (options, clock, onEvent) =>
        ear.listen(options, clock, (event) => {
          onEvent(event)
          if (event.type === 'words' && event.final) clock.after(1500, () => onEvent({ ...event, final: false }))
        })
      return underTest({ ...ear, listen }, () => ear.lose())
    },
    /came after settled/,
  ],
  [
    'text that is never closed',
    'the utterance after a final begins empty',
    () => {
      let all = ''
      return spoiled((event, tell) => {
        if (event.type !== 'words' || !event.final) return tell(event)
        all = `${all} ${event.text}`.trim()
        return tell({ ...event, text: all })
      })()
    },
    /second utterance/,
  ],
  [
    'times of another clock',
    'times of words never decrease and never exceed now',
    spoiled((event, tell) => tell(event.type === 'words' ? { ...event, atMs: event.atMs + 1e6 } : event)),
    /ahead of now/,
  ],
  [
    'a language that cannot be set',
    'after setLanguage() that language is heard, as the expected one',
    spoiled(asItIs, () => ({ setLanguage: () => undefined })),
    /reported as a change/,
  ],
  [
    'a failure without whether to retry',
    'a lost connection is reported once, as the last event, with whether to retry',
    spoiled((event, tell) =>
      tell(event.type === 'failed' ? ({ type: 'failed', message: 'Lost.' } as EarEvent) : event),
    ),
    /whether to retry/,
  ],
  [
    'a failure that is kept quiet',
    'a lost connection is reported once, as the last event, with whether to retry',
    spoiled(without('failed')),
    /reported 0 times/,
  ],
  [
    'words after a failure',
    'a lost connection is reported once, as the last event, with whether to retry',
    spoiled((event, tell) => {
      tell(event)
      if (event.type === 'failed') tell({ type: 'words', text: 'Yes', final: true, atMs: 0 })
    }),
    /words came after failed/,
  ],
  [
    'no heed of close()',
    'a closed ear brings no words',
    spoiled(asItIs, () => ({ close: () => undefined })),
    /after it was closed/,
  ],
  [
    'a failure at close()',
    'a closed ear reports no failure',
    spoiled(asItIs, (_, tell) => ({ close: () => tell(FAILED) })),
    /failed after it was closed/,
  ],
]

describe('the conformance checks of ears', () => {
  it.each(faults)('reject an ear with: %s', async (_, check, make, complaint) => {
    await expect(earChecks[check](make)).rejects.toThrow(complaint)
  })

  it('are each shown failing by a fault', () => {
    expect(new Set(faults.map(([, check]) => check))).toEqual(new Set(Object.keys(earChecks)))
  })
})

function heardBy(options: ScriptedEarOptions, texts: readonly string[]) {
  const events: EarEvent[] = []
  const clock = virtualClock()
  const listenOptions = { language: 'en-US', keyterms: [], signal: new AbortController().signal }
  const listening = createScriptedEar(options).listen(listenOptions, clock, (event) => void events.push(event))
  for (const text of texts) {
    for (const word of text.split(' ')) listening.push({ audio: new Uint8Array(FRAME_BYTES), text: word })
    listening.finalize()
  }
  return { events, clock }
}

describe('the scripted ear', () => {
  it('reports a language other than the expected one once', () => {
    const { events } = heardBy({}, [
      'Yes, that is fine with me.',
      'Perdone, no hablo inglés. ¿Habla usted español?',
      'No le entiendo, ¿quién es usted?',
    ])
    expect(events.filter(({ type }) => type === 'language')).toEqual([{ type: 'language', language: 'es' }])
  })

  it('revises and punctuates its partials on demand', () => {
    const { events } = heardBy({ revises: true }, ['At eleven.'])
    expect(events.flatMap((event) => (event.type === 'words' ? [event.text] : []))).toEqual([
      'at',
      'At',
      'at el',
      'at eleven',
      'At eleven.',
      'At eleven.',
    ])
  })

  it('drops its connection on demand, and says when to try again', () => {
    const { events } = heardBy({ dropsAfterFrames: 2, retryAfterMs: 3000 }, ['One two three four'])
    expect(events.map(({ type }) => type)).toEqual(['ready', 'words', 'words', 'failed'])
    expect(events.at(-1)).toMatchObject({ retryable: true, retryAfterMs: 3000 })
  })

  it('brings its final late on demand', async () => {
    const { events, clock } = heardBy({ finalsLateMs: 1500 }, ['Yes'])
    await clock.advance(1400)
    expect(events.map(({ type }) => type)).toEqual(['ready', 'words'])
    await clock.advance(200)
    expect(events.map(({ type }) => type)).toEqual(['ready', 'words', 'words', 'settled'])
  })
})
