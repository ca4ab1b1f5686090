import type { Persona } from '../persona.ts'

export const engaged: Persona = {
  number: '0101',
  about: 'busy',
  language: 'en',
  voiceId: 'default',
  pickup: { type: 'busy' },
  manners: 'person',
  scenes: { first: [] },
}
