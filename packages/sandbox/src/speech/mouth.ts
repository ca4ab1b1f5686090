import { type Mouth, sentenceMouth, voiceShape, withBreath } from '@parley/voice-ports'
import { synthesize } from './synthetic.ts'

/** Speaks in synthetic sounds as long as the words, with word times. */
export function createScriptedMouth(): Mouth {
  return sentenceMouth('synthetic', (text, { voiceId }) =>
    Promise.resolve(withBreath(synthesize(text, voiceShape(voiceId)), text)),
  )
}
