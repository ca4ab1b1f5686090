import { answers, type Persona } from '../persona.ts'

export const silent: Persona = {
  number: '0107',
  about: 'answers and stays silent',
  language: 'en',
  voiceId: 'default',
  pickup: answers(),
  manners: 'person',
  scenes: { first: [] },
}
