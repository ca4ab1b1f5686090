import { answers, go, onTurn, person, say, type Persona, type Scene } from '../persona.ts'
import { answersQuestions, asksIntoSilence, picksUp, smallTalk } from './agreeable.ts'

const refuses = say('No, I am sorry, that is not possible.')
const accepts = say('Yes, that would work. Let us do it that way.')

/** After the refusal: asked for something else, it names what it has; offered something else, it takes it. */
const makesDo = (...offers: readonly string[]): Scene =>
  person(
    'professional',
    smallTalk,
    onTurn(
      /\b(?:what|which|when|something|any(?:thing)?|is there|are there|do you|could you|can you)\b[^?]*\b(?:else|instead|possible|available|alternatives?|other|offer|suggest|propose|recommend|suit|close)\b/i,
      [say(...offers)],
    ),
    onTurn(/\b(?:instead|alternatively|otherwise|how about|what about|or else|another|different|earlier|later|perhaps|maybe|rather)\b/i, [
      accepts,
    ]),
    answersQuestions,
    asksIntoSilence,
  )

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
      onTurn(/\b(?:discount|percent|cheaper|price|rate|dollars|euros|pounds|fee|budget)\b/i, [refuses, go('haggling')]),
      onTurn(/\?|\b(?:would|i'd) like\b|\b(?:want|need)\b/i, [refuses, go('planning')]),
      answersQuestions,
      asksIntoSilence,
    ),
    haggling: makesDo('Five percent less would be possible.', 'I could offer you five percent less.'),
    planning: makesDo('Half past eight would be possible.', 'I could offer you half past eight.'),
  },
}
