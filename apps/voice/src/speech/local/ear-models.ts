import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@parley/contract/environment'

/** Settings of a recogniser, as sherpa-onnx takes them. */
export interface RecogniserConfig {
  readonly featConfig: { readonly sampleRate: number; readonly featureDim: number }
  readonly modelConfig: {
    readonly transducer?: { readonly encoder: string; readonly decoder: string; readonly joiner: string }
    readonly paraformer?: { readonly encoder: string; readonly decoder: string }
    readonly zipformer2Ctc?: { readonly model: string }
    readonly tokens: string
    readonly numThreads: number
    readonly provider: string
  }
}

/** A streaming model of sherpa-onnx, in SPEECH_MODELS_DIR/ear/<language>. */
export interface EarModel {
  /** BCP 47: the name of its folder. */
  readonly language: string
  readonly folder: string
  readonly config: RecogniserConfig
}

const LANGUAGES_MAX = 50
const SAMPLE_RATE_HZ = 16_000
const FEATURES = 80

/** @throws ConfigError in one sentence */
export async function earModelsIn(modelsDir: string): Promise<EarModel[]> {
  const dir = join(modelsDir, 'ear')
  const languages = await foldersIn(dir)
  if (languages.length === 0)
    throw new ConfigError(
      `EAR=local finds no models: ${dir} must hold a folder for each language, such as en, with a streaming model of sherpa-onnx.`,
    )
  return Promise.all(languages.slice(0, LANGUAGES_MAX).map((language) => modelIn(join(dir, language), language)))
}

async function foldersIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => !entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name)
}

async function modelIn(folder: string, language: string): Promise<EarModel> {
  const files = await readdir(folder)
  const find = (part: string) => {
    const found = files.filter((name) => name.startsWith(part) && name.endsWith('.onnx'))
    // Packs of models hold the same one in several precisions: the name alone, or the smaller one.
    const name =
      found.find((each) => each === `${part}.onnx`) ?? found.find((each) => each.includes('int8')) ?? found[0]
    return name === undefined ? null : join(folder, name)
  }
  const [encoder, decoder, joiner, model] = ['encoder', 'decoder', 'joiner', 'model'].map(find)
  if (files.includes('tokens.txt')) {
    const common = { tokens: join(folder, 'tokens.txt'), numThreads: 1, provider: 'cpu' }
    const of = (modelConfig: RecogniserConfig['modelConfig']): EarModel => ({
      language,
      folder,
      config: { featConfig: { sampleRate: SAMPLE_RATE_HZ, featureDim: FEATURES }, modelConfig },
    })
    if (encoder && decoder && joiner) return of({ ...common, transducer: { encoder, decoder, joiner } })
    if (encoder && decoder) return of({ ...common, paraformer: { encoder, decoder } })
    if (model) return of({ ...common, zipformer2Ctc: { model } })
  }
  throw new ConfigError(
    `EAR=local finds no whole model in ${folder}: it needs tokens.txt, and encoder.onnx, decoder.onnx and joiner.onnx (zipformer), encoder.onnx and decoder.onnx (paraformer), or model.onnx (zipformer CTC).`,
  )
}
