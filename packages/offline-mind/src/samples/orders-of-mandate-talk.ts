import type { OrderOfMandate } from './orders-of-mandate.ts'

const TABLE = 'Book a table for four on Friday'
const NO = 'No, I am sorry, that is not possible.'
const HALF_PAST_EIGHT = 'Half past eight would be possible.'
const RIGHT = 'Yes, that is right.'

/** Days, pressure, doubt, withdrawals, and permissions during the call. */
export const ORDERS_OF_TALK: readonly OrderOfMandate[] = [
  {
    title: 'another day offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: ['Not on Friday, but Saturday at seven would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /Saturday/,
  },
  {
    title: 'another day that the order allows',
    purpose: `${TABLE}. Saturday is fine too.`,
    objectives: ['A table at 7 pm'],
    utterances: ['Not on Friday, but Saturday at seven would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /Saturday/,
  },
  {
    title: 'another day offered with a yes',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: ['Yes, on Saturday.', 'Yes.'],
    outcomes: ['offered'],
    offer: /Saturday/,
  },
  {
    title: 'the day after next',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: ['Next Friday would be possible.', 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'the day before the move',
    purpose: 'Move the appointment from Monday to Thursday',
    objectives: ['Move the appointment from Monday to Thursday'],
    utterances: ['Monday is fine.', 'Yes.'],
    outcomes: ['offered'],
    offer: /Monday/,
  },
  {
    title: 'the same day with its date',
    purpose: 'Book a table for two on Saturday at 8 pm',
    objectives: ['A table on Saturday at 8 pm'],
    utterances: ['Yes, Saturday the 21st at eight is fine.', 'Yes, that is all.'],
    outcomes: ['met'],
  },
  {
    title: 'an offer of "a bit later"',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: ['A bit later would be fine.', 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'a yes to the question about an alternative',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: [NO, 'Yes.', 'Okay.'],
    outcomes: ['open'],
  },
  {
    title: 'an okay to the question about an alternative',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: [NO, 'Okay.', 'Yes, sure.'],
    outcomes: ['open'],
  },
  {
    title: 'a callee who speaks of something else',
    purpose: 'Move the appointment at the dentist',
    objectives: ['Move the appointment from Monday to Thursday', 'Confirm the new time'],
    utterances: [
      'He has a dog, a big brown one, and it digs up everything.',
      'My daughter is coming over from the coast with the children.',
    ],
    outcomes: ['open', 'open'],
  },
  {
    title: 'a callee who presses for a yes',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Ask if they have vegetarian options'],
    utterances: [
      NO,
      HALF_PAST_EIGHT,
      'So shall I put you down for half past eight?',
      "I'll put you down for half past eight then.",
      'Yes, several dishes.',
    ],
    outcomes: ['offered', 'met'],
  },
  {
    title: 'a callee who changes what was agreed',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: ['Yes, that is possible.', 'Yes, I have booked half past eight for you.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8:30 pm/,
  },
  {
    title: 'a permission during the call',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Ask if they have vegetarian options'],
    utterances: [NO, HALF_PAST_EIGHT, '[8:30 is fine]', RIGHT, 'Yes, several dishes.', 'Yes, that is all.'],
    outcomes: ['met_within_limits', 'met'],
    offer: /8:30 pm/,
    type: 'success',
  },
  {
    title: 'a permission during the call for something else',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Ask if they have vegetarian options'],
    utterances: [NO, HALF_PAST_EIGHT, '[8 pm is fine]', 'Yes, several dishes.'],
    outcomes: ['offered', 'met'],
  },
  {
    title: 'a permission during the call against the order',
    purpose: `${TABLE}. Do not accept another time.`,
    objectives: ['A table at 7 pm', 'Ask if they have vegetarian options'],
    utterances: [NO, HALF_PAST_EIGHT, '[8:30 is fine]', RIGHT, 'Yes, several dishes.', 'Yes, that is all.'],
    outcomes: ['met_within_limits', 'met'],
  },
  {
    title: 'a prohibition during the call',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    utterances: ['[Do not accept any other time]', NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'a purpose without objectives',
    purpose: 'A table at 7 pm',
    objectives: [],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: [],
    type: 'pending',
  },
]
