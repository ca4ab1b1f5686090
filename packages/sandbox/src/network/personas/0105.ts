import { answers, hangUp, onSentence, person, type Persona } from '../persona.ts'
import { asksIntoSilence, picksUp } from './agreeable.ts'

export const impatient: Persona = {
  number: '0105',
  about: 'hangs up after the first sentence',
  language: 'en',
  pickup: answers(),
  scenes: { first: person('authoritative', picksUp, onSentence([hangUp], { afterMs: 300 }), asksIntoSilence) },
}
