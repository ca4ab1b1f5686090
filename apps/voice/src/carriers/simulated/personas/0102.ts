import type { Persona } from '../persona.ts'

export const away: Persona = {
  number: '0102',
  about: 'rings, no answer',
  language: 'en',
  voiceId: 'default',
  pickup: { type: 'no_answer' },
  manners: 'person',
  scenes: { first: [] },
}
