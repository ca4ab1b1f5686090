import { answers, person, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

export const helpful: Persona = {
  number: '0100',
  about: 'answers, listens, answers each question, agrees, says goodbye',
  language: 'en',
  pickup: answers(),
  scenes: { first: person('warm', agreeable) },
}
