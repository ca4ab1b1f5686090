import {
  createResampler,
  encodeMulaw,
  type Mouth,
  SAMPLE_RATE_HZ,
  sentenceMouth,
  withBreath,
} from '@parley/voice-ports'
import { VOICES } from '@parley/contract'
import { SpeechFailure } from '../failure.ts'
import { baseOf } from '../voices.ts'
import { type LocalModel, localModels, type MadeSpeech, startSherpa, type Synthesizer } from './sherpa.ts'

/** Speaks by the operator's models for sherpa-onnx. Rejects with a reason when they cannot be used. */
export async function createSherpaMouth(dir: string): Promise<Mouth> {
  const models = localModels(dir)
  const synthesizer = await startSherpa(
    Object.fromEntries(Object.entries(models).map(([language, { model }]) => [language, model])),
  )
  return sherpaMouth(synthesizer, models)
}

/** Without times of words, which these models do not tell. */
export function sherpaMouth(
  synthesizer: Synthesizer,
  models: Readonly<Record<string, Pick<LocalModel, 'speakers'>>>,
): Mouth {
  const made = sentenceMouth('sherpa-onnx', async (text, { language, voiceId }) => {
    const known = [language.toLowerCase(), baseOf(language)].find((each) => Object.hasOwn(models, each))
    if (known === undefined)
      throw new SpeechFailure('unable', `There is no model of sherpa-onnx for the language "${language}".`)
    const speaker = speakerOf(voiceId, models[known]?.speakers ?? {}, synthesizer.speakers[known] ?? 1)
    const speech = await synthesizer.make({ text, language: known, speaker })
    return { ...withBreath({ audio: telephoneBand(speech), words: [] }, text), words: [] }
  })
  return { ...made, wordTimes: false }
}

/** As voices.json says, else the five voices one after the other, as far as the model has so many. */
function speakerOf(voiceId: string, named: Readonly<Record<string, number>>, count: number): number {
  const index =
    named[voiceId] ??
    Math.max(
      0,
      VOICES.findIndex((voice) => voice === voiceId),
    )
  return index % Math.max(1, count)
}

function telephoneBand({ samples, rateHz }: MadeSpeech): Uint8Array {
  const resampler = createResampler(rateHz, SAMPLE_RATE_HZ)
  const scaled = samples.map((sample) => sample * 32_767)
  return Uint8Array.from(Buffer.concat([encodeMulaw(resampler.push(scaled)), encodeMulaw(resampler.flush())]))
}
