import { answers, hangUp, onTurn, person, press, say, type Persona } from '../persona.ts'
import { asksIntoSilence, picksUp } from './agreeable.ts'

export const optsOut: Persona = {
  number: '0109',
  about: '"Take me off your list"',
  language: 'en',
  pickup: answers(),
  scenes: {
    first: person(
      'authoritative',
      picksUp,
      onTurn(null, [say('No. Take me off your list, please, and do not call me again.')], { times: 1 }),
      onTurn(/\b(?:remove|off|not (?:call|contact)|never|list|goodbye|bye)\b/i, [hangUp], { afterMs: 2500 }),
      // A callee who is not understood tries the opt-out key.
      onTurn(null, [say('I said, take me off your list.'), press('9')], { times: 1 }),
      onTurn(null, [hangUp]),
      asksIntoSilence,
    ),
  },
}
