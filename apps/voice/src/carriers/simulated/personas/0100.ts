import { answers, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

export const helpful: Persona = {
  number: '0100',
  about: 'answers, listens, answers each question, agrees, says goodbye',
  language: 'en',
  voiceId: 'warm',
  pickup: answers(),
  manners: 'person',
  scenes: { first: agreeable },
}
