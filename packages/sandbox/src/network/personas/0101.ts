import { nobody, type Persona } from '../persona.ts'

export const engaged: Persona = {
  number: '0101',
  about: 'busy',
  language: 'en',
  pickup: { type: 'busy' },
  scenes: nobody,
}
