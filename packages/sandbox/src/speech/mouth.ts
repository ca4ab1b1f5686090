import { type Mouth, sentenceMouth, voiceShape, withBreath } from '@parley/voice-ports'
import { synthesize } from './synthetic.ts'

/** Speaks in sounds that take as long as the words would, with their times. */
export function createScriptedMouth(): Mouth {
  return sentenceMouth('synthetic', (text, { voiceId }) =>
    Promise.resolve(withBreath(synthesize(text, voiceShape(voiceId)), text)),
  )
}
