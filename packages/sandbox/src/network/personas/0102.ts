import { nobody, type Persona } from '../persona.ts'

export const away: Persona = {
  number: '0102',
  about: 'rings, no answer',
  language: 'en',
  pickup: { type: 'no_answer' },
  scenes: nobody,
}
