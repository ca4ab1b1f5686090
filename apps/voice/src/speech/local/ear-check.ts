import type { Check } from '@parley/contract/checks'
import { earModelsIn } from './ear-models.ts'

/** They were loaded at the start; the files must be there for the next one. */
export function checkLocalEar(modelsDir: string): Omit<Check, 'part'> {
  return {
    mend: 'Correct SPEECH_MODELS_DIR, or put the models back.',
    async run() {
      const languages = (await earModelsIn(modelsDir)).map(({ language }) => language)
      return { ok: true, detail: `It hears with sherpa-onnx: ${languages.join(', ')}.` }
    },
  }
}
