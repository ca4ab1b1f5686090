import { nobody, type Persona } from '../persona.ts'

/** Rings in the browser of the signed-in user, who answers or does not. */
export const browser: Persona = {
  number: '0199',
  about: 'you: it rings in the browser of the signed-in user',
  language: 'en',
  pickup: { type: 'by_hand' },
  scenes: nobody,
}
