import { answers, onMidSentence, person, say, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

export const cheerful: Persona = {
  number: '0114',
  about: '"mhm", "right", "yes" while the agent speaks: no interruption',
  language: 'en',
  pickup: answers(),
  scenes: {
    first: person('friendly', onMidSentence(5, 0, [say('Mhm.', 'Right.', 'Yes.')], { over: 'cheers' }), agreeable),
  },
}
