import { describe, expect, test } from 'vitest'
import { englishPurpose } from './purpose.en.ts'

const speaker = { tone: 'professional', owner: 'Anna Schmidt' } as const

const PURPOSES: readonly (readonly [string, string, string])[] = [
  ['Book a table for four on Friday', "I'm calling to book a table for four on Friday.", 'Would that be possible?'],
  ['dentist appointment', "I'm calling about a dentist appointment.", 'Could you help me with that?'],
  ['I want to cancel my subscription', "I'm calling to cancel Anna Schmidt's subscription.", 'Would that be possible?'],
  [
    'What is the price of a haircut?',
    "I'm calling about the following: what is the price of a haircut.",
    'What is the price of a haircut?',
  ],
  [
    'Call the restaurant and book a table for two tomorrow',
    "I'm calling to book a table for two tomorrow.",
    'Would that be possible?',
  ],
  [
    'Negotiate hotel price',
    "I'm calling to negotiate the hotel price.",
    'Is there any flexibility on the hotel price?',
  ],
  [
    'Remind the patient about her appointment tomorrow at 3 pm',
    "I'd like to remind you about your appointment tomorrow at 3 pm.",
    "I'd like to remind you about your appointment tomorrow at 3 pm. Does that still work for you?",
  ],
  [
    'Remind John about his dentist appointment on Tuesday',
    "I'd like to remind you about your dentist appointment on Tuesday.",
    "I'd like to remind you about your dentist appointment on Tuesday. Does that still work for you?",
  ],
  [
    'Survey customers about our service',
    "I'm calling to survey you about our service.",
    'What do you think about our service?',
  ],
  ['survey about our service', "I'm calling about a survey about our service.", 'What do you think about our service?'],
  [
    'I would like to book a room for two nights',
    "I'm calling to book a room for two nights.",
    'Would that be possible?',
  ],
  ["Please call Mario's and reserve a table", "I'm calling to reserve a table.", 'Would that be possible?'],
  ['To ask about opening hours', "I'm calling to ask about opening hours.", 'Could you tell me the opening hours?'],
  [
    'Make a reservation for 2 people at 8 pm tonight',
    "I'm calling to make a reservation for 2 people at 8 pm tonight.",
    'Would that be possible?',
  ],
  ['Find out the opening hours', "I'm calling to find out the opening hours.", 'Could you tell me the opening hours?'],
  [
    'We need a quote for painting our house',
    "I'm calling about a quote for painting our house.",
    'Could you give me a quote for painting our house?',
  ],
  [
    'My internet is not working',
    "I'm calling because Anna Schmidt's internet is not working.",
    'Could you help me with that?',
  ],
  [
    'Wish my mother a happy birthday',
    'Anna Schmidt wishes you a happy birthday!',
    'Anna Schmidt wishes you a happy birthday!',
  ],
  [
    'Follow up on the quote we sent last week',
    "I'm calling to follow up on the quote we sent last week.",
    'Could you help me with that?',
  ],
  [
    'Confirm the appointment on Friday at 3 pm',
    "I'm calling to confirm the appointment on Friday at 3 pm.",
    'Could you confirm that?',
  ],
  [
    'Tell them that I will be 15 minutes late',
    "I'd like to let you know that Anna Schmidt will be 15 minutes late.",
    "I'd like to let you know that Anna Schmidt will be 15 minutes late. Is that all right?",
  ],
  ['reservation', "I'm calling about a reservation.", 'Could you help me with that?'],
  ['Booking a table', "I'm calling to book a table.", 'Would that be possible?'],
  [
    'The guest wants a late checkout',
    "I'm calling because the guest wants a late checkout.",
    'Could you help me with that?',
  ],
  ['Check in on grandma', "I'm calling to check in on you.", 'How are you doing?'],
  ['Ask if they are hiring', "I'm calling to ask if you are hiring.", 'Are you hiring?'],
  ['Order 3 pizzas for delivery', "I'm calling to order 3 pizzas for delivery.", 'Would that be possible?'],
  [
    'Our heating is broken and we need somebody to repair it today',
    "I'm calling because our heating is broken and we need somebody to repair it today.",
    'Could you help me with that?',
  ],
  [
    'Hello, my name is Anna. I need to change my flight to Monday. Do not tell them my budget.',
    "I'm calling to change Anna Schmidt's flight to Monday.",
    'Would that be possible?',
  ],
  ['Customer satisfaction survey', "I'm calling about a customer satisfaction survey.", 'Could you help me with that?'],
  ['test', "I'm calling about a test.", 'Could you help me with that?'],
  ['Test call', "I'm calling about a test call.", 'Could you help me with that?'],
  [
    'Call my friend and say hello',
    'Anna Schmidt asked me to say hello to you.',
    'Anna Schmidt asked me to say hello to you.',
  ],
  ['Talk to the hotel about the price', "I'm calling to talk to you about the price.", 'Could you help me with that?'],
  [
    'Get the best price for a room in May',
    "I'm calling to get the best price for a room in May.",
    'Could you tell me the best price for a room in May?',
  ],
  [
    'Amend my booking 4711 to three nights',
    "I'm calling to amend Anna Schmidt's booking 4711 to three nights.",
    'Would that be possible?',
  ],
  ['call about invoice 123', "I'm calling about invoice 123.", 'Could you help me with that?'],
  [
    'Inform the customer that the car is ready for pickup',
    "I'd like to let you know that the car is ready for pickup.",
    "I'd like to let you know that the car is ready for pickup. Is that all right?",
  ],
  [
    'Ask about the price of a haircut',
    "I'm calling to ask about the price of a haircut.",
    'Could you tell me the price of a haircut?',
  ],
  ['Ask Ada in Rome about lunch', "I'm calling to ask you about lunch.", 'Could you tell me about lunch?'],
  [
    'Ask Ada Miller from Acme whether she is coming',
    "I'm calling to ask you whether you are coming.",
    'Are you coming?',
  ],
  [
    "Ask Mr. O'Neil if Bob said when he is back",
    "I'm calling to ask you if Bob said when he is back.",
    'Could you tell me whether Bob said when he is back?',
  ],
  [
    'Ask José van der Berg to confirm the delivery',
    "I'm calling to ask you to confirm the delivery.",
    'Could you help me with that?',
  ],
  ['Ask the front desk if they have parking', "I'm calling to ask you if you have parking.", 'Do you have parking?'],
  [
    'Call Ada Miller and ask how it works for her',
    "I'm calling to ask how it works for you.",
    'Could you tell me how it works for you?',
  ],
  [
    'Remind Ada van der Berg of her appointment on Monday',
    "I'd like to remind you of your appointment on Monday.",
    "I'd like to remind you of your appointment on Monday. Does that still work for you?",
  ],
  [
    'Invite Ada Miller to the party in June',
    "I'm calling to invite you to the party in June.",
    'Anna Schmidt would like to invite you to the party in June. Would you like to come?',
  ],
  [
    'Speak to Ada Miller about her contract',
    "I'm calling to speak to you about your contract.",
    'Could you help me with that?',
  ],
]

describe('englishPurpose', () => {
  test.each(PURPOSES)('%s', (text, sentence, question) => {
    const purpose = englishPurpose(text, speaker)
    expect([purpose.sentence, purpose.topic.question]).toEqual([sentence, question])
  })
})
