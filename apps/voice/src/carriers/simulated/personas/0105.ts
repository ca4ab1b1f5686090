import { answers, hangUp, onSentence, type Persona } from '../persona.ts'
import { asksIntoSilence, picksUp } from './agreeable.ts'

export const impatient: Persona = {
  number: '0105',
  about: 'hangs up after the first sentence',
  language: 'en',
  voiceId: 'authoritative',
  pickup: answers(),
  manners: 'person',
  scenes: { first: [...picksUp, onSentence([hangUp], { afterMs: 300 }), ...asksIntoSilence] },
}
