import {
  answers,
  go,
  hangUp,
  machine,
  onSilence,
  onStart,
  onTurn,
  person,
  say,
  tone,
  type Persona,
} from '../persona.ts'
import { answersQuestions, asksIntoSilence } from './agreeable.ts'

const asks = say('Hi. The person you are calling uses a screening assistant. Please say who is calling and why.')
const giveUp = [say('The person you are calling is not available. Goodbye.'), hangUp]

export const screened: Persona = {
  number: '0115',
  about: 'screening assistant: "please say who is calling and why", then a person or a hang-up',
  language: 'en',
  pickup: answers(),
  scenes: {
    first: machine(
      'professional',
      onStart([asks], { afterMs: 400 }),
      onTurn(
        /\b(?:calling|call(?:s|ed)?|on behalf|about|regarding|because|in order|would like|i'd like|to (?:book|ask|confirm|remind|speak|talk))\b/i,
        [say('Thank you. Please stay on the line.'), tone('ringback', 2000), go('person')],
      ),
      onTurn(null, [say('Sorry, I did not get that. Please say your name, and why you are calling.')], { times: 1 }),
      onTurn(null, giveUp),
      onSilence(7000, [asks], { times: 1 }),
      onSilence(7000, giveUp),
    ),
    person: person(
      'warm',
      onStart([say('Hello, this is Sam. What is it about?')], { afterMs: 800 }),
      answersQuestions,
      asksIntoSilence,
    ),
  },
}
