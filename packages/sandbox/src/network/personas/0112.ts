import { answers, drop, onElapsed, person, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

export const badReception: Persona = {
  number: '0112',
  about: 'the carrier drops the call after 20 s',
  language: 'en',
  pickup: answers(),
  scenes: { first: person('friendly', onElapsed(20_000, [drop]), agreeable) },
}
