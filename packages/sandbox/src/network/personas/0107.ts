import { answers, person, type Persona } from '../persona.ts'

export const silent: Persona = {
  number: '0107',
  about: 'answers and stays silent',
  language: 'en',
  pickup: answers(),
  scenes: { first: person('default') },
}
