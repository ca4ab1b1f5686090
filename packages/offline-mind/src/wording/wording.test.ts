import { TONES } from '@parley/contract'
import { describe, expect, test } from 'vitest'
import { wordCount } from '../hearing/text.ts'
import type { TopicKind } from '../topic.ts'
import { englishTopic } from './objective.en.ts'
import { englishPurpose } from './purpose.en.ts'
import { PHRASEBOOKS } from './phrasebooks.ts'
import { purposeOf, topicOf } from './wording.ts'

const speaker = { tone: 'professional', owner: 'Anna Schmidt' } as const

const OBJECTIVES: readonly (readonly [string, TopicKind, string])[] = [
  ['Table at 7 pm', 'request', 'Would a table at 7 pm be possible?'],
  ['Find out the opening hours', 'information', 'Could you tell me the opening hours?'],
  ['Ask if they have vegetarian options', 'polar', 'Do you have vegetarian options?'],
  ['Ask Ada Miller if she is coming', 'polar', 'Are you coming?'],
  [
    'Offer Ada Miller a discount of 10% on her next order',
    'request',
    'We would like to offer you a discount of 10% on your next order. Would you be interested?',
  ],
  ['Ask if they got our offer', 'polar', 'Could you tell me whether you got our offer?'],
  ['Ask the manager if they have parking', 'polar', 'Do you have parking?'],
  ['Ask the price for two nights', 'information', 'Could you tell me the price for two nights?'],
  ['Confirm the booking reference', 'confirmation', 'Could you confirm the booking reference?'],
  ['Get a discount of 10%', 'request', 'Would a discount of 10% be possible?'],
  ['What is the price?', 'information', 'What is the price?'],
  ['Confirm my booking', 'confirmation', "Could you confirm Anna Schmidt's booking?"],
  ['Cancel my subscription', 'request', "Would it be possible to cancel Anna Schmidt's subscription?"],
  ['Ask about parking', 'information', 'Could you tell me about parking?'],
  ['Ask whether the room has a balcony', 'polar', 'Could you tell me whether the room has a balcony?'],
  ['Check availability', 'information', 'Could you tell me the availability?'],
  ['check availability for Friday', 'information', 'Could you tell me the availability for Friday?'],
  ['7 pm', 'request', 'Would 7 pm work for you?'],
  ['Friday at 8', 'request', 'Would Friday at 8 work for you?'],
  ['Under $200', 'request', 'Would it be possible to keep it under $200?'],
  ['discount', 'request', 'Would a discount be possible?'],
  ['10% discount', 'request', 'Would a 10% discount be possible?'],
  ['Quiet room', 'request', 'Would a quiet room be possible?'],
  ['Two rooms', 'polar', 'Do you have two rooms?'],
  ['Window seat', 'request', 'Would a window seat be possible?'],
  ['Vegetarian options', 'polar', 'Do you have vegetarian options?'],
  ['Opening hours', 'information', 'Could you tell me the opening hours?'],
  ['Price', 'information', 'Could you tell me the price?'],
  ['Name of the manager', 'information', 'Could you tell me the name of the manager?'],
  ["Ask for the manager's name", 'information', "Could you tell me the manager's name?"],
  ['Ask for a quiet room', 'request', 'Would a quiet room be possible?'],
  ['Ask for a vegetarian menu', 'request', 'Would a vegetarian menu be possible?'],
  ['Ask for the menu', 'information', 'Could you tell me the menu?'],
  ['Ask also about the opening hours', 'information', 'Could you tell me the opening hours?'],
  ['Get a quote', 'information', 'Could you give me a quote?'],
  ['Get their email address', 'information', 'Could you tell me your email address?'],
  [
    'Tell them I will be late',
    'message',
    "I'd like to let you know that Anna Schmidt will be late. Is that all right?",
  ],
  [
    'Let them know that I am allergic to nuts',
    'message',
    "I'd like to let you know that Anna Schmidt is allergic to nuts. Is that all right?",
  ],
  [
    'Remind him of the meeting on Monday at 9',
    'message',
    "I'd like to remind you of the meeting on Monday at 9. Does that still work for you?",
  ],
  ['Remind her to bring her passport', 'message', "I'd like to remind you to bring your passport. Is that all right?"],
  ['Wish grandma a happy birthday', 'message', 'Anna Schmidt wishes you a happy birthday!'],
  ['Thank them for the flowers', 'message', 'Anna Schmidt would like to thank you for the flowers.'],
  [
    'Invite them to my wedding in June',
    'request',
    'Anna Schmidt would like to invite you to their wedding in June. Would you like to come?',
  ],
  ['Offer them a free trial', 'request', 'We would like to offer you a free trial. Would you be interested?'],
  ['Negotiate a lower price', 'request', 'Would a lower price be possible?'],
  ['Negotiate the price down to 100 euros', 'request', 'Would a price of 100 euros be possible?'],
  ['Speak to the manager', 'request', 'Would it be possible to speak to the manager?'],
  ['Would you recommend us?', 'polar', 'Would you recommend us?'],
  [
    'How satisfied are you with our service from 1 to 10?',
    'information',
    'How satisfied are you with our service from 1 to 10?',
  ],
  ['Can I bring my dog?', 'request', 'Can Anna Schmidt bring their dog?'],
  ['Do I need a visa?', 'polar', 'Does Anna Schmidt need a visa?'],
  ['confirm that the appointment is on Friday', 'confirmation', 'Could you confirm that the appointment is on Friday?'],
  ['Confirm if breakfast is included', 'polar', 'Could you tell me whether breakfast is included?'],
  ['Ask how much it costs', 'information', 'Could you tell me how much it costs?'],
  ['ask what time they open', 'information', 'Could you tell me what time you open?'],
  ['Find out when they can deliver', 'information', 'Could you tell me when you can deliver?'],
  ['Schedule an appointment for Tuesday', 'request', 'Would it be possible to schedule an appointment for Tuesday?'],
  ['Book haircut for Tuesday at 10', 'request', 'Would it be possible to book a haircut for Tuesday at 10?'],
  [
    'Reschedule my appointment to next week',
    'request',
    "Would it be possible to reschedule Anna Schmidt's appointment to next week?",
  ],
  ['Ask them to call me back', 'request', 'Could you call Anna Schmidt back?'],
  ['Ask if it is possible to pay by card', 'request', 'Is it possible to pay by card?'],
  ['Make sure they have a high chair', 'confirmation', 'Could you confirm that you have a high chair?'],
  ['Get the earliest possible appointment', 'request', 'Could we have the earliest possible appointment?'],
  ['Order status', 'information', 'Could you tell me the order status?'],
  ['Refund for order 12345', 'request', 'Would a refund for order 12345 be possible?'],
  ['I want a refund', 'request', 'Would a refund be possible?'],
  ['I need a window seat', 'request', 'Would a window seat be possible?'],
  ['They should deliver before noon', 'request', 'Could you deliver before noon?'],
  ['Must be on the ground floor', 'request', 'Could it be on the ground floor?'],
  ['Collect feedback on the new product', 'information', 'What do you think about the new product?'],
  ['Is there parking nearby', 'polar', 'Is there parking nearby?'],
  ['parking', 'polar', 'Do you have parking?'],
  ['wifi password', 'information', 'Could you tell me the wifi password?'],
  ['Ask about their budget and timeline', 'information', 'Could you tell me about your budget and timeline?'],
  ['Interest in a product demo', 'polar', 'Would you be interested in a product demo?'],
  ['Late checkout at 2 pm', 'request', 'Would a late checkout at 2 pm be possible?'],
  ['a table by the window', 'request', 'Would a table by the window be possible?'],
  ['No onions', 'request', 'Would it be possible without onions?'],
  ['Ask if they are interested in a demo', 'polar', 'Are you interested in a demo?'],
  ['Ask if they would like to participate', 'polar', 'Would you like to participate?'],
  ['Find out who is responsible for purchasing', 'information', 'Could you tell me who is responsible for purchasing?'],
  ['Ask why the delivery is late', 'information', 'Could you tell me why the delivery is late?'],
  ['Ask about allergies', 'information', 'Could you tell me about allergies?'],
  ['Ask about the dress code', 'information', 'Could you tell me the dress code?'],
  ["Don't mention the price", 'request', ''],
  ['Upgrade to a suite', 'request', 'Would it be possible to upgrade to a suite?'],
  ['extra towels', 'request', 'Would extra towels be possible?'],
  ['They will be there', 'confirmation', 'Will you be there?'],
  ['Breakfast is included', 'request', 'Could breakfast be included?'],
  ['The booking is moved to Saturday at 8 pm', 'request', 'Could the booking be moved to Saturday at 8 pm?'],
  [
    'My order is delivered to my office',
    'request',
    "The request is as follows: Anna Schmidt's order is delivered to their office. Would that be possible?",
  ],
  ['The change is free of charge', 'confirmation', 'Is the change free of charge?'],
  ['There are vegetarian dishes', 'confirmation', 'Are there vegetarian dishes?'],
  ['They are open on Sundays', 'confirmation', 'Are you open on Sundays?'],
  ['He is at home on Monday', 'confirmation', 'Are you at home on Monday?'],
  ['They accept dogs', 'confirmation', 'Do you accept dogs?'],
  ['The room has a balcony', 'confirmation', 'Does the room have a balcony?'],
  ['The course starts on Monday', 'confirmation', 'Does the course start on Monday?'],
  ['The room is not noisy', 'confirmation', 'Could you confirm that the room is not noisy?'],
  ['Everything was delivered yesterday', 'confirmation', 'Was everything delivered yesterday?'],
  ['A room that is quiet', 'request', 'Would a room that is quiet be possible?'],
  ['Costs of the repair', 'information', 'Could you tell me the costs of the repair?'],
  ['Whether they need anything before then', 'polar', 'Do you need anything before then?'],
  ['Whether we may ask them again next year', 'request', 'May we ask you again next year?'],
  ['Whether they may be asked again', 'polar', 'Could you tell me whether you may be asked again?'],
  ['Whether it suits them to meet on Sunday', 'polar', 'Would it suit you to meet on Sunday?'],
  ['If they have parking', 'polar', 'Do you have parking?'],
  [
    'If they cannot come, another day that suits them',
    'information',
    'If you cannot come, which other day would suit you?',
  ],
  [
    'If there is no table, the price of delivery',
    'information',
    'If there is no table, could you tell me the price of delivery?',
  ],
  ['A price per night below 120 dollars', 'request', 'Would a price per night below 120 dollars be possible?'],
]

describe('englishTopic', () => {
  test.each(OBJECTIVES)('%s', (text, kind, question) => {
    expect(englishTopic(text, speaker)).toMatchObject({ text, kind, question })
  })
})

test('englishTopic words a common question in at least three ways across tones', () => {
  const said = new Set(TONES.map((tone) => englishTopic('Table at 7 pm', { tone, owner: 'Anna' }).question))
  expect(said.size).toBeGreaterThan(2)
})

test('englishPurpose and englishTopic shorten a long order to under 30 words', () => {
  const long = `Book a table for four on Friday ${'and make sure that everybody is happy with it '.repeat(30)}`
  expect(wordCount(englishPurpose(long, speaker).sentence)).toBeLessThan(25)
  expect(wordCount(englishTopic(long, speaker).question)).toBeLessThan(30)
})

const NATIVE: readonly (readonly ['es' | 'fr' | 'de', string, string])[] = [
  ['es', 'Reservar una mesa para cuatro el viernes', 'Llamo para reservar una mesa para cuatro el viernes.'],
  ['fr', 'Réserver une table pour quatre vendredi', "J'appelle pour réserver une table pour quatre vendredi."],
  [
    'de',
    'Einen Tisch für vier am Freitag reservieren',
    'Ich rufe an, um einen Tisch für vier am Freitag zu reservieren.',
  ],
  ['de', 'Den Termin am Montag absagen', 'Ich rufe an, um den Termin am Montag abzusagen.'],
  ['es', 'Book a table', 'Llamo por lo siguiente: Book a table.'],
]

test.each(NATIVE)('purposeOf in %s: %s', (language, text, sentence) => {
  expect(purposeOf(text, language, speaker).sentence).toBe(sentence)
})

test.each([
  ['es', '¿Cuánto cuesta?', 'information', '¿Cuánto cuesta?'],
  ['es', 'Preguntar si tienen menú vegetariano', 'polar', '¿Tienen menú vegetariano?'],
  ['es', 'Si quieren saber más', 'polar', '¿Quieren saber más?'],
  ['es', 'Qué cambiarían primero', 'information', '¿Qué cambiarían primero?'],
  ['es', 'Horario del domingo', 'information', '¿Podría decirme el horario del domingo?'],
  ['es', 'Preguntar por las tarifas de grupo', 'information', '¿Podría decirme las tarifas de grupo?'],
  ['es', 'Dirección exacta', 'information', '¿Podría decirme la dirección exacta?'],
  ['es', 'Averiguar quién decide sobre ello', 'information', '¿Quién decide sobre ello?'],
  ['es', 'Van a asistir', 'confirmation', '¿Van a asistir?'],
  ['es', 'El cambio es gratuito', 'confirmation', '¿El cambio es gratuito?'],
  ['es', 'El desayuno está incluido', 'confirmation', '¿El desayuno está incluido?'],
  ['es', 'Hay platos vegetarianos', 'confirmation', '¿Hay platos vegetarianos?'],
  ['es', 'Una mesa junto a la ventana', 'request', '¿Sería posible lo siguiente: una mesa junto a la ventana?'],
  ['fr', 'Réserver une table à 19 h', 'request', 'Serait-il possible de réserver une table à 19 h ?'],
  ['de', 'Öffnungszeiten erfragen', 'information', 'Könnten Sie mir Folgendes sagen: Öffnungszeiten?'],
  ['de', 'Table at 7 pm', 'request', 'Der Wunsch ist: a table at 7 pm. Wäre das möglich?'],
] as const)('topicOf in %s: %s', (language, text, kind, question) => {
  expect(topicOf(text, language, speaker)).toMatchObject({ kind, question })
})

test('purposeOf and topicOf quote an order in another language in an English call', () => {
  expect(purposeOf('Reservar una mesa para cuatro el viernes', 'en', speaker).sentence).toBe(
    "I'm calling about the following: Reservar una mesa para cuatro el viernes.",
  )
  expect(topicOf('El cambio no cuesta nada', 'en', speaker).question).toBe(
    'The request is as follows: El cambio no cuesta nada. Would that be possible?',
  )
  expect(topicOf('A table at the Café Müller', 'en', speaker).question).toBe(
    'Would a table at the Café Müller be possible?',
  )
})

test('no phrasebook has an empty wording or an unknown placeholder', () => {
  const known = new Set(['x', 'owner', 'key', 'purpose'])
  const texts = JSON.stringify(PHRASEBOOKS).match(/"(?:[^"\\]|\\.)*"/g) ?? []
  expect(texts.filter((text) => text === '""')).toEqual([])
  const gaps = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]))
  expect(gaps.filter((gap) => gap === undefined || !known.has(gap))).toEqual([])
})
