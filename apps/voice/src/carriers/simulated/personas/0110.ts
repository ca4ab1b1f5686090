import { answers, onTurn, person, say, type Persona } from '../persona.ts'
import { answersQuestions, asksIntoSilence, picksUp, smallTalk } from './agreeable.ts'

const refuses = say('No, I am sorry, that is not possible.')
const offers = say('Half an hour later would be possible, for the same price.')
const accepts = say('Yes, that would work. Let us do it that way.')

export const negotiates: Persona = {
  number: '0110',
  about: 'says no to the first request, yes to an alternative',
  language: 'en',
  pickup: answers(),
  scenes: {
    first: person(
      'professional',
      picksUp,
      smallTalk,
      onTurn(/\?|\b(?:would|i'd) like\b|\b(?:want|need)\b/i, [refuses], { times: 1 }),
      onTurn(
        /\b(?:what|which|when|any(?:thing)?|is there|are there|do you)\b[^?]*\b(?:else|instead|possible|available|alternatives?|other|offer|work|suit)\b/i,
        [offers],
      ),
      onTurn(/\b(?:instead|alternatively|otherwise|how about|what about|or else|another|different|earlier|later|perhaps|maybe|rather)\b/i, [
        accepts,
      ]),
      answersQuestions,
      asksIntoSilence,
    ),
  },
}
