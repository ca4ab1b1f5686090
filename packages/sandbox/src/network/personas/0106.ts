import { answers, onMidSentence, person, say, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

const cutsIn = say('Sorry, wait. Who is calling, please?', 'Excuse me, may I just ask what exactly this is about?')

export const interrupter: Persona = {
  number: '0106',
  about: 'interrupts the agent in mid-sentence, twice',
  language: 'en',
  pickup: answers(),
  scenes: {
    first: person('authoritative', onMidSentence(5, 1, [cutsIn], { times: 2, over: 'interrupts' }), agreeable),
  },
}
