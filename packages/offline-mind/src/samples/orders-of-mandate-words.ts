import type { OrderOfMandate } from './orders-of-mandate.ts'

const TABLE = 'Book a table for two tomorrow'
const NO = 'No, I am sorry, that is not possible.'
const HALF_PAST_EIGHT = 'Half past eight would be possible.'

const noted = (title: string, objective: string, offer: RegExp, purpose = TABLE): OrderOfMandate => ({
  title,
  purpose,
  objectives: [objective],
  utterances: [NO, HALF_PAST_EIGHT, 'No.', 'No.'],
  outcomes: ['offered'],
  offer,
})

/** Wording of an offer: the thing and the value, and nothing else of the order. */
export const ORDERS_OF_WORDS: readonly OrderOfMandate[] = [
  noted('an hour in place of one with a remark', 'A table at 7 pm not a minute later', /^a table at 8:30 pm$/),
  noted('an hour in place of one with a latitude', 'A table at 8, give or take 15 minutes', /^a table at 8:30$/),
  noted('an hour in place of a range', 'A table from 7 pm to 8:30 pm', /^a table at 8:30 pm$/),
  noted('an hour in place of a stay', 'A table at 7 pm until 8:30 pm', /^a table at 8:30 pm$/),
  noted('an hour in place of two things', 'A table at 7 pm and a cake at 8:30 pm', /^8:30 pm$/),
  noted('an hour in place of an hour without its minutes', 'Breakfast at 8', /^breakfast at 8:30$/),
  noted('an hour in place of 19h', 'A table at 19h', /^a table at 8:30 pm$/),
  noted('an hour in place of any but that', 'A table any time except half past eight', /^8:30$/),
  noted('an hour in place of a cancellation', 'Cancel the appointment', /^8:30$/, 'Cancel my appointment at 8:30'),
  noted('an hour beside where it was', 'Move the appointment from 8:30 to 7 pm', /^(?!.*from)/, 'Move my appointment'),
  {
    title: 'fewer people with a yes',
    purpose: 'Book a table on Friday at 7 pm',
    objectives: ['A table for four'],
    utterances: ['Yes, for three people.', 'No.', 'No.'],
    outcomes: ['offered'],
    never: /for 4\.|noted 3\./,
  },
  {
    title: 'another place, with a yes behind it',
    purpose: 'Book a table on Friday',
    objectives: ['A table at 7 pm'],
    utterances: ['At our other branch on Hill Street, yes.', 'Yes.'],
    outcomes: ['offered'],
    offer: /^at our other branch on Hill Street$/i,
  },
  {
    title: 'a percentage in place of several',
    purpose: 'Negotiate the price',
    objectives: ['A discount of 5 to 10 percent'],
    utterances: [NO, 'Five percent would be possible.', 'No, five it is.'],
    outcomes: ['offered'],
    offer: /^a discount of 5%$/,
  },
  {
    title: 'a price for a verb that is no noun',
    purpose: 'Lower the price',
    objectives: ['Lower the price to 120 dollars'],
    utterances: [NO, 'I can do it for 133 dollars.', 'No, 133.', 'No.'],
    outcomes: ['offered'],
    offer: /^lowering the price to 133 dollars$/,
    never: /about the lower/,
  },
  {
    title: 'a price in one word, in German',
    language: 'de',
    purpose: 'Ein Zimmer reservieren',
    objectives: ['Höchstens 120 Euro zahlen'],
    utterances: ['Es wären einhundertdreißig Euro.', 'Nein, einhundertdreißig Euro.', 'Ja.'],
    outcomes: ['offered'],
    offer: /130/,
    never: /nicht ganz verstanden/,
  },
]
