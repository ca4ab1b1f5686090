import type { OrderOfMandate } from './orders-of-mandate.ts'

const NO = 'No, I am sorry, that is not possible.'
const RIGHT = 'Yes, that is right.'
const EIGHTY = 'It is eighty dollars altogether, with everything included.'
const LESS = 'Five percent less would be possible.'
const PRICED = 'That makes one hundred and thirty three dollars.'
const NO_QUESTION = /[Cc]ould you tell me|[Cc]an you tell me/

/** Requests: no statement grants them, and only what was asked does. */
export const ORDERS_OF_REQUESTS: readonly OrderOfMandate[] = [
  {
    title: 'a cancellation, an hour offered',
    purpose: 'Cancel my appointment at 8:30',
    objectives: ['Cancel the appointment'],
    utterances: [NO, 'Half past eight would be possible.', RIGHT],
    outcomes: ['offered'],
    never: /recap/,
  },
  {
    title: 'a cancellation that is granted',
    purpose: 'Cancel my appointment at 8:30',
    objectives: ['Cancel the appointment at 8:30'],
    utterances: ['Yes, I have cancelled the appointment at half past eight.', 'Yes, that is all.'],
    outcomes: ['met'],
  },
  ...[
    'Reduce the price to 120 dollars',
    'Reduce the price to 120 dollars, 130 is my limit',
    'Lower the price to 120 dollars',
    'Slash our price to 120 dollars',
  ].map((objective): OrderOfMandate => ({
    title: `"${objective}", and five percent less`,
    purpose: 'Negotiate my internet price of 140 dollars',
    objectives: [objective],
    utterances: [NO, LESS, PRICED, 'No, that is the best I can do.', EIGHTY],
    outcomes: ['offered'],
    offer: /133 dollars/,
    never: NO_QUESTION,
  })),
  ...[
    'Reduce the price',
    'Lower the price',
    'Get a better rate',
    'Bring down the price',
    'Knock something off the price',
  ].map((objective): OrderOfMandate => ({
    title: `"${objective}", and a price`,
    purpose: 'Negotiate my internet price of 140 dollars',
    objectives: [objective],
    utterances: [NO, EIGHTY, 'Yes.'],
    outcomes: ['offered'],
    never: NO_QUESTION,
  })),
  {
    title: 'a price limit, another currency offered',
    purpose: 'Negotiate the rent. Under 130 euros.',
    objectives: ['A rate of 120 euros'],
    utterances: [NO, EIGHTY, 'No, that is the best I can do.', RIGHT],
    outcomes: ['offered'],
    offer: /80 dollars/,
    never: NO_QUESTION,
  },
  ...['A price of 100 dollars', 'Get a price of 100 dollars', 'Get a rate of 100 dollars, 110 tops'].map(
    (objective): OrderOfMandate => ({
      title: `"${objective}", refused`,
      purpose: 'Negotiate the rent',
      objectives: [objective],
      utterances: [NO, LESS, PRICED, 'No, that is the best I can do.'],
      outcomes: ['offered'],
      offer: /133 dollars/,
      never: NO_QUESTION,
    }),
  ),
  {
    title: 'a discount "at the very least"',
    purpose: 'Negotiate the price of a room',
    objectives: ['A discount of 10 percent, 5 percent at the very least'],
    utterances: [NO, LESS, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /5%/,
    never: /at the very least/,
  },
  ...['A table any time except half past eight', 'Any time in the morning', 'Breakfast at 8'].map(
    (objective): OrderOfMandate => ({
      title: `"${objective}", refused, and a statement of fact`,
      purpose: 'Book a table for two tomorrow',
      objectives: [objective],
      utterances: [
        NO,
        'It is the usual one, nothing out of the ordinary.',
        'Yes, we do have that.',
        'It is the usual one.',
      ],
      outcomes: ['refused'],
      never: /[Cc]ould you tell me|[Dd]o you have|recap/,
    }),
  ),
  {
    title: 'an hour named for something else',
    purpose: 'Book a table for two tomorrow',
    objectives: ['A table at 7 pm'],
    utterances: ['Our kitchen closes at seven.', 'No.', 'No.'],
    outcomes: ['refused'],
    never: /recap/,
  },
  {
    title: 'a cancellation, an hour offered, in French',
    language: 'fr',
    purpose: 'Annuler un rendez-vous',
    objectives: ['Annuler le rendez-vous de 20 h 30'],
    utterances: ["À 20 h 30 c'est possible.", 'Oui.', 'Oui.'],
    outcomes: ['offered'],
  },
  {
    title: 'a cancellation, an hour offered, in Spanish',
    language: 'es',
    purpose: 'Cancelar mi cita',
    objectives: ['Cancelar la cita de las 8:30'],
    utterances: ['Podría ser a las ocho y media.', 'Sí.', 'Sí.'],
    outcomes: ['offered'],
  },
  {
    title: 'a cancellation at a price',
    purpose: 'Cancel my subscription',
    objectives: ['Cancel the subscription'],
    utterances: ['Yes, for 20 dollars.', 'Yes.'],
    outcomes: ['offered'],
    offer: /20 dollars/,
  },
  ...['It used to be 110 dollars.', 'Your neighbour pays 110 dollars.'].map((utterance): OrderOfMandate => ({
    title: `a statement of fact: ${utterance}`,
    purpose: 'Rent a room',
    objectives: ['At most 120 dollars'],
    utterances: [utterance, 'No.', 'No.'],
    outcomes: ['refused'],
  })),
]
