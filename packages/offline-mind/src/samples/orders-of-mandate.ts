import type { CallOrder, CallSummary, OutcomeStatus } from '@parley/contract'

/** An order, the callee's utterances, and the expected result. */
export interface OrderOfMandate {
  readonly title: string
  readonly purpose: string
  readonly objectives: readonly string[]
  readonly mandates?: CallOrder['mandates']
  readonly context?: Readonly<Record<string, unknown>>
  readonly language?: string
  /** The callee's utterances; instructions of the user stand in brackets. */
  readonly utterances: readonly string[]
  readonly outcomes: readonly OutcomeStatus[]
  /** What was agreed or offered in place of the first objective. */
  readonly offer?: RegExp
  /** Must never be said by the agent, besides what no call may contain. */
  readonly never?: RegExp
  readonly type?: CallSummary['type']
}

const TABLE = 'Book a table for four on Friday'
const NO = 'No, I am sorry, that is not possible.'
const HALF_PAST_EIGHT = 'Half past eight would be possible.'
const RIGHT = 'Yes, that is right.'

/** Times, with and without alternatives in the order. */
export const ORDERS_OF_TIME: readonly OrderOfMandate[] = [
  {
    title: 'a move that accepts no other time',
    purpose: 'Move my booking to 8 pm. If 8 pm is not possible, do not accept another time',
    objectives: ['The booking is moved to 8 pm'],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
    offer: /8:30 pm/,
    type: 'pending',
  },
  {
    title: 'a table at one time, another time offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
    offer: /^a table at 8:30 pm$/,
    type: 'pending',
  },
  {
    title: 'an hour within an evening',
    purpose: 'Book a table for four on Friday evening',
    objectives: ['A table at 7 pm'],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'an evening without an hour',
    purpose: 'Book a table for four',
    objectives: ['A table on Friday evening'],
    utterances: [HALF_PAST_EIGHT, RIGHT, 'Yes, that is all.'],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'a table at one time, that time offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: ['Yes, of course.', 'Yes, that is all.'],
    outcomes: ['met'],
    type: 'success',
  },
  {
    title: 'a table at one time, refused',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    utterances: [NO, 'No, nothing at all.'],
    outcomes: ['refused'],
    type: 'failed',
  },
  {
    title: 'an offer equal to a bound',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    utterances: [NO, HALF_PAST_EIGHT, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
    type: 'success',
  },
  {
    title: 'an offer beyond a bound',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    utterances: [NO, 'A quarter to nine would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8:45 pm/,
    never: /8:30/,
  },
  {
    title: 'an offer before the time asked for',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    utterances: [NO, 'Six would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /6 pm/,
  },
  {
    title: 'an offer at the same hour in the morning',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    utterances: [NO, 'Eight in the morning would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8 am/,
  },
  {
    title: 'an alternative time, offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm or 8:30'],
    utterances: [NO, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'an offer between the time and its alternative',
    purpose: TABLE,
    objectives: ['A table at 7 pm or 8:30'],
    utterances: ['Eight would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8 pm/,
  },
  {
    title: 'an offer between two times',
    purpose: TABLE,
    objectives: ['A table between 7 and 8:30 pm'],
    utterances: ['Eight would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8 pm/,
  },
  {
    title: 'an offer outside of two times',
    purpose: TABLE,
    objectives: ['A table between 7 and 8:30 pm'],
    utterances: ['Nine would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /9 pm/,
  },
  {
    title: 'at the latest',
    purpose: TABLE,
    objectives: ['A table at 7 pm, 8:30 at the latest'],
    utterances: [NO, HALF_PAST_EIGHT, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'no later than',
    purpose: `${TABLE}, no later than 8:30 pm`,
    objectives: ['A table at 7 pm'],
    utterances: [NO, 'Eight would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8 pm/,
  },
  {
    title: 'no later than, later offered',
    purpose: `${TABLE}. No later than 8 pm.`,
    objectives: ['A table at 7 pm'],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
    never: /\b8 pm\b/,
  },
  {
    title: 'not before',
    purpose: TABLE,
    objectives: ['A table at 7 pm, not before 6:30'],
    utterances: [NO, 'A quarter to seven would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /6:45 pm/,
  },
  {
    title: 'not before, earlier offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm, not before 6:30'],
    utterances: [NO, 'Six would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /6 pm/,
  },
  {
    title: 'the stricter of two limits',
    purpose: `${TABLE}, no later than 8 pm`,
    objectives: ['A table at 7 pm, or up to 9'],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'preferences in their order',
    purpose: TABLE,
    objectives: ['Preferably a table at 7 pm, otherwise at 8:30'],
    utterances: [NO, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: '"if not possible, X is fine too"',
    purpose: TABLE,
    objectives: ['A table at 7 pm. If not possible, 8:30 is fine too.'],
    utterances: ['Seven is gone, sorry.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'any time in the evening',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or any time in the evening'],
    utterances: [NO, 'Nine would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /9 pm/,
  },
  {
    title: 'any time in the evening, noon offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or any time in the evening'],
    utterances: [NO, 'We have something at noon.', 'Yes.'],
    outcomes: ['offered'],
    offer: /noon/,
  },
  {
    title: 'any free time',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or whatever is free'],
    utterances: [NO, 'Ten would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /10 pm/,
  },
  {
    title: 'any free time, fewer people offered',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or whatever is free'],
    utterances: ['Only for two people.', NO, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: '"only" against a vague context',
    purpose: TABLE,
    objectives: ['Only 7 pm'],
    context: { notes: 'I am flexible', flexible: true },
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: '"do not accept" against a vague context',
    purpose: `${TABLE} at 7 pm. Do not accept anything else.`,
    objectives: ['A table at 7 pm'],
    context: { flexibility: 'yes' },
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'a rule among the objectives',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Do not accept another time'],
    utterances: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered', 'open'],
  },
  {
    title: 'a rule among the objectives that is kept',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Do not accept another time'],
    utterances: ['Yes, that works.', 'Yes, that is all.'],
    outcomes: ['met', 'met'],
    type: 'success',
  },
  {
    title: 'a limit among the objectives',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'If that is not possible, 8:30 is fine too'],
    utterances: [NO, RIGHT, 'Yes, that is all.'],
    outcomes: ['met_within_limits', 'met'],
    type: 'success',
  },
  {
    title: 'several offers, of which one is allowed',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    utterances: ['Seven is gone, I could do six or half past eight.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'several offers, of which none is allowed',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 7:30'],
    utterances: ['Seven is gone, I could do six or half past eight.', 'Yes.'],
    outcomes: ['offered'],
  },
]
