import { nobody, type Persona } from '../persona.ts'

/** Rings in the browser of the signed-in user; where no browser is listening, nobody answers. */
export const browser: Persona = {
  number: '0199',
  about: 'you: it rings in the browser of the signed-in user',
  language: 'en',
  pickup: { type: 'no_answer' },
  scenes: nobody,
}
