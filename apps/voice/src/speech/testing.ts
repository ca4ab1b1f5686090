import {
  type Ear,
  type EarEvent,
  encodeMulaw,
  FRAME_BYTES,
  FRAME_MS,
  type Frame,
  type ListenOptions,
  silentFrame,
  type VirtualClock,
} from '@parley/voice-ports'
import type { EarUnderTest, Utterance } from '@parley/voice-ports/conformance'
import type { SpeechScript } from '@parley/sandbox/testing'

// Sound for ears of vendors, whose far ends recognise by a script, and call time that waits for their sockets.

interface FarEnd {
  readonly script: SpeechScript
  settle(): Promise<void>
}

const LETTER_MS = 50
const WORD_GAP_MS = 40

/** A buzz for each word, loud enough for a detector of levels. */
export function spoken(text: string): Utterance {
  const words = text.split(' ').reduce<{ text: string; endMs: number }[]>((before, word) => {
    const ms = Math.ceil((word.length * LETTER_MS + WORD_GAP_MS) / FRAME_MS) * FRAME_MS
    return [...before, { text: word, endMs: (before.at(-1)?.endMs ?? 0) + ms }]
  }, [])
  const samples = Float64Array.from({ length: ((words.at(-1)?.endMs ?? 0) * 8) | 0 }, (_, at) => {
    // Levels that change, as those of a voice do.
    const loudness = 6000 + 4000 * Math.sin(at / 700)
    return loudness * Math.sign(Math.sin(at / 9))
  })
  const audio = encodeMulaw(samples)
  const frames: Frame[] = Array.from({ length: audio.length / FRAME_BYTES }, (_, at) => ({
    audio: audio.slice(at * FRAME_BYTES, (at + 1) * FRAME_BYTES),
  }))
  return { frames, words }
}

export const quiet = (ms: number): Frame[] => Array.from({ length: ms / FRAME_MS }, () => silentFrame())
export const textOf = ({ words }: Utterance): string => words.map(({ text }) => text).join(' ')

/** Moves the time on, and lets everything on the sockets arrive before and after. */
export function timeWith(clock: VirtualClock, farEnds: readonly Pick<FarEnd, 'settle'>[]) {
  const settle = async () => {
    for (const far of farEnds) await far.settle()
  }
  const advance = async (ms: number) => {
    await settle()
    await clock.advance(ms)
    await settle()
  }
  return { advance, settle }
}

/** A script that follows the sound: what a frame begins is what is said next. */
function followed(ear: Ear, script: SpeechScript, spokenHere: readonly (Utterance & { language?: string })[]): Ear {
  return {
    ...ear,
    listen(options, clock, onEvent) {
      const listening = ear.listen(options, clock, onEvent)
      return {
        push(frame) {
          const begun = spokenHere.find(({ frames }) => frames[0] === frame)
          if (begun) script.say({ text: textOf(begun), words: begun.words, language: begun.language ?? 'en' })
          listening.push(frame)
        },
        finalize: () => listening.finalize(),
        setLanguage: (language) => listening.setLanguage(language),
        close: () => listening.close(),
      }
    },
  }
}

const SENTENCE = spoken('Yes, Friday at seven is fine with us.')
const OTHER = { language: 'es', ...spoken('Perdone, no hablo inglés, ¿quién es usted?') }

/** For earConforms(). */
export function underTest(clock: VirtualClock, ear: Ear, far: FarEnd, lose: () => void): EarUnderTest {
  const { advance } = timeWith(clock, [far])
  const heard = followed(ear, far.script, [SENTENCE, OTHER])
  return { ear: heard, clock, advance, ...SENTENCE, other: OTHER, readyWithinMs: 100, lose }
}

/** One connection of an ear, with what it tells. */
export async function listenTo(
  ear: Ear,
  clock: VirtualClock,
  farEnds: Parameters<typeof timeWith>[1],
  options: Partial<ListenOptions> = {},
) {
  const { advance } = timeWith(clock, farEnds)
  const events: EarEvent[] = []
  const { signal } = new AbortController()
  const listening = ear.listen({ language: 'en', keyterms: [], signal, ...options }, clock, (event) => {
    events.push(event)
  })
  await advance(0)
  const push = async (frames: readonly Frame[]) => {
    for (const frame of frames) {
      listening.push(frame)
      await advance(FRAME_MS)
    }
  }
  return {
    clock,
    advance,
    events,
    listening,
    push,
    types: () => events.map(({ type }) => type),
    words: () => events.flatMap((event) => (event.type === 'words' ? [`${event.text}${event.final ? ' |' : ''}`] : [])),
    finals: () => events.flatMap((event) => (event.type === 'words' && event.final ? [event.text] : [])),
    failure: () => events.find((event) => event.type === 'failed'),
  }
}
