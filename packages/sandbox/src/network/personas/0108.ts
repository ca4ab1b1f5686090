import {
  answers,
  go,
  hangUp,
  machine,
  onDigit,
  onSilence,
  onStart,
  person,
  say,
  tone,
  type Persona,
} from '../persona.ts'
import { answersQuestions, asksIntoSilence } from './agreeable.ts'

const menu = say(
  'Thank you for calling the Market Street House. For reservations, press 1. For opening hours, press 2. To hear this menu again, press 9.',
)

export const menuThenPerson: Persona = {
  number: '0108',
  about: 'menu: "press 1 for reservations", then a person',
  language: 'en',
  pickup: answers(),
  scenes: {
    first: machine(
      'professional',
      onStart([menu], { afterMs: 500 }),
      onDigit('1', [say('One moment. You are being connected.'), tone('ringback', 2000), go('reservations')]),
      onDigit('2', [say('We are open every day from nine in the morning until ten at night.'), menu]),
      onDigit('9', [menu]),
      onDigit(null, [say('Sorry, that is not one of the choices.'), menu]),
      onSilence(6000, [menu], { times: 2 }),
      onSilence(6000, [say('We have not received a choice. Goodbye.'), hangUp]),
    ),
    reservations: person(
      'warm',
      onStart([say('Reservations, this is Sam. How can I help you?')], { afterMs: 800 }),
      answersQuestions,
      asksIntoSilence,
    ),
  },
}
