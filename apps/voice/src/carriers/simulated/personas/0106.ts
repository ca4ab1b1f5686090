import { answers, onMidSentence, person, say, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

const cutsIn = say('Sorry, wait a moment. Who is this calling, please?', 'Hold on, hold on. Can you tell me what this is about?')

export const interrupter: Persona = {
  number: '0106',
  about: 'interrupts the agent in mid-sentence, twice',
  language: 'en',
  pickup: answers(),
  scenes: { first: person('authoritative', onMidSentence(8, [cutsIn], { times: 2, over: 'interrupts' }), agreeable) },
}
