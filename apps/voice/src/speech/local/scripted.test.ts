import { describe, expect, it } from 'vitest'
import {
  ActivityDetector,
  createToneDetector,
  FRAME_BYTES,
  FRAME_MS,
  levelDbm0,
  type Mouth,
  wordEnds,
  wordEndsBetween,
  wordsOf,
} from '@parley/voice-ports'
import { createScriptedMouth, guessLanguage } from '@parley/sandbox'
import { createEspeakMouth, findEspeak } from './index.ts'

const SENTENCES = [
  'Good morning, this is a call about your table for four on Friday.',
  'Could you tell me, please, how much the smaller of the two rooms is?',
  'Whoa, oh, who knew you two would lose your new blue moon shoes?',
  'My number is 212 555 0147, and I am there until six.',
]
const VOICES = ['default', 'professional', 'friendly', 'authoritative', 'warm']
const binary = await findEspeak()
const mouths = [
  createScriptedMouth(),
  ...(binary === null ? [] : [createEspeakMouth({ binary, otherwise: createScriptedMouth() })]),
]

async function said(mouth: Mouth, text: string, voiceId = 'default', language = 'en') {
  const chunks = []
  const speaking = mouth.open({ language, voiceId })
  for await (const { audio, words = [] } of speaking.speak(text, { signal: new AbortController().signal }))
    chunks.push({ audio, words, text: words.map(({ fromChar, toChar }) => text.slice(fromChar, toChar)).join(' ') })
  return { audio: Uint8Array.from(chunks.flatMap((chunk) => [...chunk.audio])), chunks }
}

function frames(audio: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.floor(audio.length / FRAME_BYTES) }, (_, at) =>
    audio.subarray(at * FRAME_BYTES, (at + 1) * FRAME_BYTES),
  )
}

describe.each(mouths.map((mouth) => [mouth.name, mouth] as const))('%s', (_, mouth) => {
  it.each(VOICES)('is detected as speech and not as a tone in the voice "%s"', async (voice) => {
    for (const sentence of SENTENCES) {
      const { audio, chunks } = await said(mouth, sentence, voice)
      const quiet = new Uint8Array(8000).fill(0xff)
      const sound = Uint8Array.from([...quiet, ...audio, ...quiet])
      const activity = new ActivityDetector()
      const tones = createToneDetector()
      const found = frames(sound).flatMap((frame, at) => activity.push(levelDbm0(frame), (at + 1) * FRAME_MS) ?? [])
      const [first] = found
      const last = found.at(-1)
      expect(first?.type === 'speech_started' && Math.abs(first.sinceMs - 1000)).toBeLessThan(120)
      const endMs = 1000 + (chunks[0]?.words.at(-1)?.endMs ?? 0)
      expect(last?.type === 'speech_stopped' && Math.abs(last.untilMs - endMs)).toBeLessThan(200)
      expect(frames(sound).flatMap((frame) => tones.push(frame))).toEqual([])
    }
  })

  it('speaks a text sentence by sentence', async () => {
    const { chunks } = await said(mouth, 'Hello there. Dr. Lee is in. Is it 3.50 or 4?')
    expect(chunks.map(({ text }) => text)).toEqual(['Hello there.', 'Dr. Lee is in.', 'Is it 3.50 or 4?'])
  })

  it.each(['ar', 'zh', 'fr', 'de', 'el', 'hi', 'it', 'ja', 'ko', 'pt', 'pt-BR', 'es'])(
    'makes sound in the language %s',
    async (language) => {
      expect((await said(mouth, 'Olá, 12.', 'warm', language)).audio.length).toBeGreaterThan(1600)
    },
  )
})

describe.runIf(binary !== null)('espeak-ng and the synthetic voice', () => {
  it.each(SENTENCES)('differ in length by less than 35 % for "%s"', async (sentence) => {
    const [synthetic, spoken] = await Promise.all(mouths.map((mouth) => said(mouth, sentence)))
    const ratio = (synthetic?.audio.length ?? 0) / (spoken?.audio.length ?? 1)
    expect(ratio).toBeGreaterThan(0.75)
    expect(ratio).toBeLessThan(1.35)
  })

  it('serve a repeated sentence from the cache', async () => {
    const mouth = createEspeakMouth({ binary: binary!, otherwise: createScriptedMouth() })
    const first = await said(mouth, 'This is said twice.')
    const again = await said(mouth, 'This is said twice.')
    expect(again.chunks[0]?.audio).toBe(first.chunks[0]?.audio)
    expect((await said(mouth, 'This is said twice.', 'warm')).chunks[0]?.audio).not.toBe(first.chunks[0]?.audio)
  })

  it('render "Mhm." as a short hum', async () => {
    expect(
      (await said(createEspeakMouth({ binary: binary!, otherwise: createScriptedMouth() }), 'Mhm.')).audio.length,
    ).toBeLessThan(0.6 * 8000)
  })
})

describe('createEspeakMouth', () => {
  it.each([
    ['is missing', '/nowhere/espeak-ng'],
    ['fails', '/bin/false'],
    ['writes no sound', '/bin/cat'],
    ['never stops writing', '/usr/bin/yes'],
  ])('falls back to the synthetic voice when the program %s', async (_, program) => {
    const { chunks } = await said(
      createEspeakMouth({ binary: program, otherwise: createScriptedMouth() }),
      'Hello there.',
    )
    expect(chunks[0]?.text).toBe('Hello there.')
  })
})

describe('word timing', () => {
  it('ends with the sound and gives longer words more time', () => {
    const ends = wordEnds(wordsOf('A considerable, long one.'), { startMs: 0, endMs: 1000 }).map(({ endMs }) => endMs)
    expect(ends.at(-1)).toBe(1000)
    expect((ends[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(2 * (ends[0] ?? 0))
  })

  it('aligns words with the pauses in the sound', () => {
    const words = wordsOf('Yes, of course, Friday.')
    const pauses = [
      { startMs: 200, endMs: 500 },
      { startMs: 700, endMs: 810 },
      { startMs: 1000, endMs: 1200 },
    ]
    expect(wordEndsBetween(words, 2000, pauses).map(({ endMs }) => Math.round(endMs))).toEqual([200, 659, 1000, 2000])
    expect(wordEndsBetween(words, 2000, [])).toEqual(wordEnds(words, { startMs: 0, endMs: 2000 }))
  })

  it('has words of scripts without spaces, each with its place', () => {
    const text = '您好，我想订桌子。 OK?'
    const words = wordsOf(text)
    expect(words.length).toBeGreaterThan(4)
    expect(words.map(({ fromChar, toChar }) => text.slice(fromChar, toChar))).toEqual(words.map((word) => word.text))
    expect(words.map((word) => word.text).join('')).toBe(text.replace(' ', ''))
    expect(words.every((word) => !/^[，。？]/.test(word.text))).toBe(true)
  })
})

describe('language detection', () => {
  it.each([
    ['Perdone, no hablo inglés. ¿Habla usted español?', 'es'],
    ['Bonjour, je suis désolé, je ne parle pas anglais.', 'fr'],
    ['Guten Tag, ich spreche leider nicht so gut, was ist es?', 'de'],
    ['Buongiorno, mi dispiace, non parlo la lingua, chi è?', 'it'],
    ['Olá, não falo essa língua, com quem falo, por favor? Obrigado.', 'pt'],
    ['Yes, that is fine with me, thank you.', 'en'],
    ['Yes.', null],
    ['Sam Taylor, Market Street 12.', null],
  ])('finds the language of "%s"', (text, language) => {
    expect(guessLanguage(text)).toBe(language)
  })
})
