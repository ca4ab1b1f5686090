import { answers, go, onTurn, person, say, type Persona, type Rule, type Scene } from '../persona.ts'
import { answersQuestions, asksIntoSilence, picksUp, smallTalk } from './agreeable.ts'

const refuses = say('No, I am sorry, that is not possible.')
const accepts = say('Yes, that would work. Let us do it that way.')

/** After the refusal: names its alternative when asked for one, and accepts one that is offered. */
const makesDo = (offers: readonly string[], ...own: readonly Rule[]): Scene =>
  person(
    'professional',
    smallTalk,
    own,
    onTurn(/\bhop(?:e|ed|ing) for\b|\bany way to get there\b/i, [say('No, that is the best I can do.')]),
    onTurn(
      /\b(?:what|which|when|something|any(?:thing)?|is there|are there|do you|could you|can you)\b[^?]*\b(?:else|instead|possible|available|alternatives?|other|offer|suggest|propose|recommend|suit|close)\b/i,
      [say(...offers)],
    ),
    onTurn(
      /\b(?:instead|alternatively|otherwise|how about|what about|or else|another|different|earlier|later|perhaps|maybe|rather)\b/i,
      [accepts],
    ),
    answersQuestions,
    asksIntoSilence,
  )

export const negotiates: Persona = {
  number: '0110',
  about: 'says no to the first request, offers an alternative',
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
    haggling: makesDo(
      ['Five percent less would be possible.', 'I could offer you five percent less.'],
      onTurn(/\bwhat\b[^?]*\b(?:price|cost|come to)\b|\bhow much\b/i, [
        say('That makes one hundred and thirty three dollars.'),
      ]),
    ),
    planning: makesDo(['Half past eight would be possible.', 'I could offer you half past eight.']),
  },
}
