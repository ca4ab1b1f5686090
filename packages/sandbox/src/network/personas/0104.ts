import { machine, type Persona } from '../persona.ts'

export const noSuchNumber: Persona = {
  number: '0104',
  about: 'number not in service',
  language: 'en',
  pickup: {
    type: 'not_in_service',
    announcement: 'The number you have dialed is not in service. Please check the number and dial again.',
  },
  scenes: { first: machine('professional') },
}
