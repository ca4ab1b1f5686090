import { answers, onMidSentence, say, type Persona } from '../persona.ts'
import { agreeable } from './agreeable.ts'

export const interrupter: Persona = {
  number: '0106',
  about: 'interrupts the agent in mid-sentence, twice',
  language: 'en',
  voiceId: 'authoritative',
  pickup: answers(),
  manners: 'person',
  scenes: {
    first: [
      onMidSentence(
        8,
        [say('Sorry, wait a moment. Who is this calling, please?', 'Hold on, hold on. Can you tell me what this is about?')],
        {
          times: 2,
          over: 'interrupts',
        },
      ),
      ...agreeable,
    ],
  },
}
