import type { OrderOfMandate } from './orders-of-mandate.ts'

const TABLE = 'Book a table for four on Friday'
const NO = 'No, I am sorry, that is not possible.'
const RIGHT = 'Yes, that is right.'
const ALL = 'Yes, that is all.'

/** With a mandate that the person chose beside the words. */
export const ORDERS_WITH_CHOSEN_MANDATES: readonly OrderOfMandate[] = [
  {
    title: 'exactly, and just that granted',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    mandates: [{ rule: 'exactly' }],
    utterances: ['Yes, of course.', ALL],
    outcomes: ['met'],
    type: 'success',
  },
  {
    title: 'exactly, although the words would allow more',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    mandates: [{ rule: 'exactly' }],
    utterances: [NO, 'Eight would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8 pm/,
    type: 'pending',
  },
  {
    title: 'a chosen latest time, and an offer within it',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    mandates: [{ rule: 'within_limits', limits: { timeTo: '20:30' } }],
    utterances: [NO, 'Half past eight would be possible.', RIGHT, ALL],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
    type: 'success',
  },
  {
    title: 'a chosen latest time, and an offer beyond it',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    mandates: [{ rule: 'within_limits', limits: { timeTo: '20:30' } }],
    utterances: [NO, 'A quarter to nine would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8:45 pm/,
  },
  {
    title: 'chosen alternatives, proposed in their order',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    mandates: [{ rule: 'within_limits', limits: { alternatives: ['8 pm', '6 pm'] } }],
    utterances: [NO, 'No.', 'Yes, six is possible.', RIGHT, ALL],
    outcomes: ['met_within_limits'],
    offer: /6 pm/,
  },
  {
    title: 'a chosen alternative without a number',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    mandates: [{ rule: 'within_limits', limits: { alternatives: ['a table on the terrace'] } }],
    utterances: ['No, but we have a table on the terrace.', RIGHT, ALL],
    outcomes: ['met_within_limits'],
    offer: /terrace/,
  },
  {
    title: 'a chosen highest price, and a lower one',
    purpose: 'Book a room for one night',
    objectives: ['A rate of 100 dollars'],
    mandates: [{ rule: 'within_limits', limits: { priceMax: { amountCents: 12_000, currency: 'USD' } } }],
    utterances: ['That would be 118 dollars.', RIGHT, ALL],
    outcomes: ['met_within_limits'],
    offer: /118/,
  },
  {
    title: 'ask me, and just what was asked is granted',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    mandates: [{ rule: 'ask_me' }],
    utterances: ['Yes, of course.', ALL],
    outcomes: ['offered'],
    offer: /7 pm/,
    type: 'pending',
  },
  {
    title: 'ask me, and something else is offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    mandates: [{ rule: 'ask_me' }],
    utterances: [NO, 'Eight would be possible.', 'So shall I book it?', 'Yes.'],
    outcomes: ['offered'],
    offer: /8 pm/,
  },
  {
    title: 'ask me for one of two',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Ask if they have vegetarian options'],
    mandates: [{ rule: 'ask_me' }, null],
    utterances: ['Yes, of course.', 'Yes, several dishes.', ALL],
    outcomes: ['offered', 'met'],
    offer: /7 pm/,
    type: 'pending',
  },
]
