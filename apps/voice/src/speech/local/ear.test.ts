import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCheck } from '@parley/contract/checks'
import { type EarEvent, virtualClock } from '@parley/voice-ports'
import { earConforms, type Utterance } from '@parley/voice-ports/conformance'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { quiet, spoken } from '../testing.ts'
import type { Sound, StreamingRecogniser } from './ear-decoding.ts'
import { earModelsIn } from './ear-models.ts'
import { Recognition } from './ear-recognition.ts'
import { earOn } from './ear.ts'
import { checkLocalEar, createLocalEar } from './index.ts'
import type { Leg } from './recognising-process.ts'

// No model stands on the machines of the suite: recognisers are scripted at the few methods of sherpa-onnx that are used.
// That the library itself is reached is shown by what it says to a broken model.

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

async function modelsDir(files: Readonly<Record<string, string>>): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ear-models-'))
  folders.push(dir)
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(dir, path, '..'), { recursive: true })
    await writeFile(join(dir, path), text)
  }
  return dir
}

const whole = (language: string, names: readonly string[]) =>
  Object.fromEntries([...names, 'tokens.txt'].map((name) => [`ear/${language}/${name}`, 'no model']))
const ZIPFORMER = ['encoder.onnx', 'decoder.onnx', 'joiner.onnx']
const log = pino({ level: 'silent' })

describe('the models of EAR=local', () => {
  it('are those of the folders of the languages, of three kinds', async () => {
    const dir = await modelsDir({
      ...whole('en', ['encoder-epoch-99.onnx', 'encoder-epoch-99.int8.onnx', 'decoder-epoch-99.onnx', 'joiner.onnx']),
      ...whole('zh', ['encoder.onnx', 'decoder.onnx']),
      ...whole('pt-BR', ['model.onnx']),
    })
    const models = await earModelsIn(dir)
    expect(models.map(({ language }) => language).toSorted()).toEqual(['en', 'pt-BR', 'zh'])
    const of = (language: string) => models.find((model) => model.language === language)?.config.modelConfig
    expect(of('en')?.transducer?.encoder).toBe(join(dir, 'ear/en/encoder-epoch-99.int8.onnx'))
    expect(of('zh')).toMatchObject({ paraformer: { encoder: join(dir, 'ear/zh/encoder.onnx') } })
    expect(of('pt-BR')).toMatchObject({ zipformer2Ctc: { model: join(dir, 'ear/pt-BR/model.onnx') } })
  })

  it.each<[string, Record<string, string>, RegExp]>([
    ['no folder', {}, /^EAR=local finds no models: .*ear must hold a folder for each language[^.]*\.$/],
    ['no tokens', { 'ear/en/encoder.onnx': '' }, /^EAR=local finds no whole model in .*ear\/en: it needs tokens\.txt/],
    ['no decoder', whole('en', ['encoder.onnx']), /needs tokens\.txt, and encoder\.onnx, decoder\.onnx/],
  ])('stop the start in one sentence where there is %s', async (_, files, sentence) => {
    const dir = await modelsDir(files)
    await expect(createLocalEar({ modelsDir: dir, log })).rejects.toThrow(sentence)
    const told = await runCheck({ part: 'ear local', ...checkLocalEar(dir) })
    expect(told).toMatchObject({ ok: false, says: expect.stringMatching(sentence) })
  })

  it('stop the start in one sentence, and not the process, where sherpa-onnx cannot load one', async () => {
    const dir = await modelsDir(whole('en', ZIPFORMER))
    const sentence = /^EAR=local cannot load the model in .*ear\/en: put a streaming model of sherpa-onnx 1\.13 there/
    await expect(createLocalEar({ modelsDir: dir, log })).rejects.toThrow(sentence)
  })
})

/** Gives the words of one sentence as their sound comes; what is loud begins it. */
class ScriptedRecogniser implements StreamingRecogniser<ScriptedSound> {
  readonly #sentence: Utterance

  constructor(sentence: Utterance) {
    this.#sentence = sentence
  }

  createStream = () => new ScriptedSound()
  isReady = (stream: ScriptedSound) => stream.waiting > 0
  decode = (stream: ScriptedSound) => void stream.waiting--
  reset = (stream: ScriptedSound) => void (stream.heardMs = 0)
  getResult = ({ heardMs }: ScriptedSound) => {
    const said = this.#sentence.words.filter(({ endMs }) => endMs <= heardMs)
    return { text: ` ${said.map(({ text }) => text).join(' ')}` }
  }
}

class ScriptedSound implements Sound {
  heardMs = 0
  waiting = 0

  acceptWaveform({ samples, sampleRate }: { readonly samples: Float32Array; readonly sampleRate: number }): void {
    this.waiting++
    const isLoud = samples.some((sample) => Math.abs(sample) > 0.05)
    if (isLoud || this.heardMs > 0) this.heardMs += (samples.length / sampleRate) * 1000
  }
}

const SENTENCE = spoken('Yes, Friday at seven is fine with us.')
const OTHER = { language: 'es', ...spoken('Perdone, no hablo inglés, ¿quién es usted?') }

function scripted() {
  const legs = new Map<number, Leg>()
  const recognition = new Recognition(
    ({ modelConfig }) => new ScriptedRecogniser(modelConfig.tokens === 'es' ? OTHER : SENTENCE),
    (answered) => ('id' in answered ? legs.get(answered.id)?.onAnswered(answered) : undefined),
  )
  const models = ['en', 'es'].map((language) => {
    const modelConfig = { tokens: language, numThreads: 1, provider: 'cpu' }
    return { language, folder: language, config: { featConfig: { sampleRate: 16_000, featureDim: 80 }, modelConfig } }
  })
  const recogniser = {
    isAlive: true,
    open(leg: Leg) {
      legs.set(legs.size + 1, leg)
      return legs.size
    },
    end: (id: number) => void legs.delete(id),
    post: (asked: Parameters<Recognition['take']>[0]) => recognition.take(asked),
  }
  const lose = () => legs.forEach((leg) => leg.onDied())
  return { ear: earOn(recogniser, models), load: () => recognition.load(models), lose, recogniser }
}

earConforms('sherpa-onnx with scripted recognisers', async () => {
  const clock = virtualClock()
  const { ear, load, lose } = scripted()
  await load()
  return { ear, clock, advance: (ms) => clock.advance(ms), ...SENTENCE, other: OTHER, readyWithinMs: 20, lose }
})

describe('the local ear', () => {
  async function listens(language: string, isAlive = true) {
    const clock = virtualClock()
    const { ear, load, recogniser } = scripted()
    await load()
    recogniser.isAlive = isAlive
    const events: EarEvent[] = []
    const options = { language, keyterms: [], signal: new AbortController().signal }
    const listening = ear.listen(options, clock, (event) => void events.push(event))
    await clock.advance(20)
    return { events, listening, recogniser, clock }
  }

  it('takes the model of the base of a language', async () => {
    expect((await listens('en-GB')).events).toEqual([{ type: 'ready' }])
  })

  it.each([
    ['has no model for the language', 'el', true],
    ['has lost its process', 'en', false],
  ])('that %s leaves the call to the next ear', async (_, language, isAlive) => {
    const { events } = await listens(language, isAlive)
    expect(events).toMatchObject([{ type: 'failed', retryable: false }])
  })

  it('that falls 5 s behind says so', async () => {
    const { events, listening, recogniser } = await listens('en')
    recogniser.post = () => undefined
    for (const frame of quiet(5020)) listening.push(frame)
    expect(events.at(-1)).toMatchObject({ type: 'failed', message: expect.stringContaining('too slow') })
  })
})
