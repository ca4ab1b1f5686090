import { type Clock, type Mouth, type MouthOptions, systemClock, virtualClock } from '@parley/voice-ports'
import { mouthConforms } from '@parley/voice-ports/conformance'
import { createScriptedMouth, createUntimedMouth } from '@parley/sandbox'
import { type MouthFarEnd, startElevenLabsFarEnd } from '@parley/sandbox/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createElevenLabsMouth } from './elevenlabs/index.ts'
import { failoverMouth } from './failover.ts'
import { SpeechFailure } from './failure.ts'
import { hear, TEXT, until } from './testing/listening.ts'
import { voiceTables } from './voices.ts'

const VOICE = { language: 'en', voiceId: 'warm' }
const log = pino({ level: 'silent' })
const clock = systemClock()

/** Fails every text after so much sound, and counts how often it was opened. */
function failing(kind: SpeechFailure['kind'], afterMs = 0, mouth = createScriptedMouth()) {
  const opened: MouthOptions[] = []
  const broken: Mouth = {
    ...mouth,
    name: 'failing',
    open(options) {
      opened.push(options)
      const speaking = mouth.open(options)
      return {
        ...speaking,
        async *speak(text, { signal }) {
          for await (const { audio, words = [] } of speaking.speak(text, { signal })) {
            yield { audio: audio.subarray(0, afterMs * 8), words: words.filter(({ endMs }) => endMs <= afterMs) }
            break
          }
          throw new SpeechFailure(kind, 'It fails.')
        },
      }
    },
  }
  return { mouth: broken, opened }
}

const kept = (...mouths: Mouth[]) => failoverMouth(mouths, { clock, log })

mouthConforms('a fail-over whose first mouth is gone', () => kept(failing('refused').mouth, createScriptedMouth()))
mouthConforms('a fail-over of mouths without word times', () => kept(createUntimedMouth()))
mouthConforms('a fail-over between mouths with and without word times', () =>
  kept(failing('late', 1000, createUntimedMouth()).mouth, createScriptedMouth()),
)
mouthConforms('a fail-over in mid-sentence', () => kept(failing('broken', 1000).mouth, createScriptedMouth()))

describe('failoverMouth()', () => {
  it('is named by its mouths, in order', () => {
    expect(kept(createScriptedMouth(), createUntimedMouth()).name).toBe('synthetic, then synthetic')
  })

  it('goes on with the first word that the broken mouth did not finish, and says none twice', async () => {
    const second: string[] = []
    const other = createScriptedMouth()
    const next: Mouth = {
      ...other,
      open(options) {
        const speaking = other.open(options)
        return { ...speaking, speak: (text, given) => (second.push(text), speaking.speak(text, given)) }
      },
    }
    const { text, words } = await hear(kept(failing('busy', 1500).mouth, next).open(VOICE))
    expect(text).toBe(TEXT)
    expect(second).toHaveLength(1)
    const before = words.filter(({ endMs }) => endMs <= 1500)
    expect(before.length).toBeGreaterThan(2)
    expect(second[0]).toBe(TEXT.slice(before.at(-1)!.toChar).trim())
    expect(words.map(({ endMs }) => endMs)).toEqual(words.map(({ endMs }) => endMs).toSorted((a, b) => a - b))
  })

  it('marks estimated times, where a mouth tells none beside one that does', async () => {
    const { words, text } = await hear(kept(createUntimedMouth(), createScriptedMouth()).open(VOICE))
    expect(text).toBe(TEXT)
    expect(words.every(({ estimated }) => estimated)).toBe(true)
  })

  it('says nothing more when the broken mouth had said every word', async () => {
    const first = failing('broken', 60_000)
    expect((await hear(kept(first.mouth, createScriptedMouth()).open(VOICE))).text).toBe(TEXT)
    expect(first.opened).toHaveLength(1)
  })

  it('opens a broken mouth once more for a text, and a late or refused one not', async () => {
    for (const [kind, times] of [
      ['broken', 2],
      ['late', 1],
      ['busy', 1],
      ['refused', 1],
    ] as const) {
      const first = failing(kind)
      await hear(kept(first.mouth, createScriptedMouth()).open(VOICE))
      expect([kind, first.opened.length]).toEqual([kind, times])
    }
  })

  it('stays with the voice that took over for the rest of the call', async () => {
    const first = failing('late')
    const speaking = kept(first.mouth, createScriptedMouth()).open(VOICE)
    for (const text of [TEXT, 'And more.', 'And the end.']) await hear(speaking, text)
    expect(first.opened).toHaveLength(1)
  })

  it('fails when every mouth does, within two tries each', async () => {
    const both = [failing('broken'), failing('broken')]
    await expect(hear(kept(...both.map(({ mouth }) => mouth)).open(VOICE))).rejects.toThrow('It fails.')
    expect(both.map(({ opened }) => opened.length)).toEqual([2, 2])
  })

  it('leaves a mouth that failed twice alone for all calls, and lets one call try it after 15 s', async () => {
    const time = virtualClock()
    const first = failing('late')
    const mouth = failoverMouth([first.mouth, createScriptedMouth()], { clock: time, log })
    for (let call = 0; call < 4; call++) await hear(mouth.open(VOICE))
    expect(first.opened).toHaveLength(2)
    await time.advance(15_000)
    const calls = [mouth.open(VOICE), mouth.open(VOICE)]
    expect(first.opened).toHaveLength(3)
    await Promise.all(calls.map((speaking) => hear(speaking)))
    // It failed again: the next rest is longer.
    await time.advance(15_000)
    mouth.open(VOICE)
    expect(first.opened).toHaveLength(3)
    await time.advance(15_000)
    mouth.open(VOICE)
    expect(first.opened).toHaveLength(4)
  })

  it('passes on what was given to each vendor', async () => {
    const spoken: unknown[] = []
    const onSpoken = (each: unknown) => void spoken.push(each)
    const counting: Mouth = {
      ...createScriptedMouth(),
      open: (options) => (options.onSpoken?.({ mouth: 'one', characters: 3 }), createScriptedMouth().open(options)),
    }
    await hear(kept(counting).open({ ...VOICE, onSpoken }))
    expect(spoken).toEqual([{ mouth: 'one', characters: 3 }])
  })
})

describe('failoverMouth() over vendors that break', () => {
  const far: MouthFarEnd[] = []
  beforeAll(async () => void far.push(await startElevenLabsFarEnd(), await startElevenLabsFarEnd()))
  afterAll(() => Promise.all(far.map((each) => each.close())))
  afterEach(() => far.forEach(({ faults }) => faults.clear()))

  const voices = voiceTables(null).elevenlabs
  const mouths = (time: Clock = clock) =>
    far.map(({ apiKey, url: baseUrl }) =>
      createElevenLabsMouth({ apiKey, baseUrl, model: 'eleven_flash_v2_5', voices, clock: time }),
    )

  it('says the unsaid rest over a new connection after one break, and by the next vendor after two', async () => {
    for (const [breaks, vendor] of [
      [1, 0],
      [2, 1],
    ] as const) {
      const before = far.map(({ texts }) => texts.length)
      far[0]!.faults.set('text', { how: 'dropped', afterMs: 1300 }, breaks)
      const speaking = kept(...mouths()).open(VOICE)
      expect((await hear(speaking)).text).toBe(TEXT)
      const asked = far.map(({ texts }, at) => texts.slice(before[at]).map(({ text }) => text))
      expect(asked.map(({ length }) => length)).toEqual(vendor === 0 ? [2, 0] : [2, 1])
      const parts = asked.flat()
      expect(TEXT.endsWith(parts.at(-1)!)).toBe(true)
      expect(parts.at(-1)!.length).toBeLessThan(parts[0]!.length)
      speaking.close()
    }
  })

  it('turns to the next vendor before anything is said, when the first refuses the connection while it rings', async () => {
    const before = far[1]!.connections.opened
    far[0]!.faults.set('connect', { how: 'status', status: 401 })
    const speaking = kept(...mouths()).open(VOICE)
    await until(() => expect(far[1]!.connections.opened).toBe(before + 1))
    expect((await hear(speaking)).text).toBe(TEXT)
    speaking.close()
  })

  it('turns to the next vendor when the first brings no sound for 2.5 s', async () => {
    const time = virtualClock()
    far[0]!.faults.set('text', { how: 'silent', afterMs: 0 })
    const speaking = failoverMouth(mouths(time), { clock: time, log }).open(VOICE)
    const heard = hear(speaking)
    await until(() => expect(far[0]!.texts.at(-1)).toMatchObject({ text: TEXT, state: 'lost' }))
    await time.advance(2500)
    expect((await heard).text).toBe(TEXT)
    speaking.close()
  })

  it('opens a mouth that is the only one and refuses no more than once for a text', async () => {
    const { opened } = far[0]!.connections
    const [mouth] = mouths()
    far[0]!.faults.set('connect', { how: 'status', status: 401 }, Infinity)
    const speaking = kept(mouth!).open(VOICE)
    await expect(hear(speaking)).rejects.toMatchObject({ kind: 'refused' })
    await expect(hear(speaking)).rejects.toMatchObject({ kind: 'refused' })
    far[0]!.faults.clear()
    expect((await hear(speaking)).text).toBe(TEXT)
    expect(far[0]!.connections.opened).toBe(opened + 1)
    speaking.close()
  })
})
