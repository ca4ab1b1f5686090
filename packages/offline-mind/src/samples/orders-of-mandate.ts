import type { CallSummary, OutcomeStatus } from '@parley/contract'

/** An order, what the callee says to it, and what must come of it. */
export interface OrderOfMandate {
  readonly title: string
  readonly purpose: string
  readonly objectives: readonly string[]
  readonly context?: Readonly<Record<string, unknown>>
  readonly language?: string
  /** The callee's lines; what the person behind the call says in between stands in brackets. */
  readonly lines: readonly string[]
  readonly outcomes: readonly OutcomeStatus[]
  /** What was agreed or offered in place of the first objective. */
  readonly offer?: RegExp
  /** Never said by the agent, besides what is never said in any call. */
  readonly never?: RegExp
  readonly type?: CallSummary['type']
}

const TABLE = 'Book a table for four on Friday'
const NO = 'No, I am sorry, that is not possible.'
const HALF_PAST_EIGHT = 'Half past eight would be possible.'
const RIGHT = 'Yes, that is right.'

/** Times: the order says what else would do, or does not. */
export const ORDERS_OF_TIME: readonly OrderOfMandate[] = [
  {
    title: 'a move that says not to accept another time',
    purpose: 'Move my booking to 8 pm. If 8 pm is not possible, do not accept another time',
    objectives: ['The booking is moved to 8 pm'],
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
    offer: /8:30 pm/,
    type: 'pending',
  },
  {
    title: 'a plain table',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
    offer: /^a table at 8:30 pm$/,
    type: 'pending',
  },
  {
    title: 'an hour of an evening',
    purpose: 'Book a table for four on Friday evening',
    objectives: ['A table at 7 pm'],
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'an evening without an hour',
    purpose: 'Book a table for four',
    objectives: ['A table on Friday evening'],
    lines: [HALF_PAST_EIGHT, RIGHT, 'Yes, that is all.'],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'a plain table, had',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    lines: ['Yes, of course.', 'Yes, that is all.'],
    outcomes: ['met'],
    type: 'success',
  },
  {
    title: 'a plain table, refused',
    purpose: TABLE,
    objectives: ['A table at 7 pm'],
    lines: [NO, 'No, nothing at all.'],
    outcomes: ['refused'],
    type: 'failed',
  },
  {
    title: 'a bound at its edge',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    lines: [NO, HALF_PAST_EIGHT, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
    type: 'success',
  },
  {
    title: 'a bound, and an offer beyond it',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    lines: [NO, 'A quarter to nine would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8:45 pm/,
    never: /8:30/,
  },
  {
    title: 'a bound, and an offer before what was asked',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    lines: [NO, 'Six would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /6 pm/,
  },
  {
    title: 'a bound, and the same hour of the morning',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    lines: [NO, 'Eight in the morning would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8 am/,
  },
  {
    title: 'another time by name',
    purpose: TABLE,
    objectives: ['A table at 7 pm or 8:30'],
    lines: [NO, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'another time by name, and one between',
    purpose: TABLE,
    objectives: ['A table at 7 pm or 8:30'],
    lines: ['Eight would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /8 pm/,
  },
  {
    title: 'between two times',
    purpose: TABLE,
    objectives: ['A table between 7 and 8:30 pm'],
    lines: ['Eight would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8 pm/,
  },
  {
    title: 'between two times, outside',
    purpose: TABLE,
    objectives: ['A table between 7 and 8:30 pm'],
    lines: ['Nine would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /9 pm/,
  },
  {
    title: 'at the latest',
    purpose: TABLE,
    objectives: ['A table at 7 pm, 8:30 at the latest'],
    lines: [NO, HALF_PAST_EIGHT, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'no later than',
    purpose: `${TABLE}, no later than 8:30 pm`,
    objectives: ['A table at 7 pm'],
    lines: [NO, 'Eight would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8 pm/,
  },
  {
    title: 'no later than, and later',
    purpose: `${TABLE}. No later than 8 pm.`,
    objectives: ['A table at 7 pm'],
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
    never: /\b8 pm\b/,
  },
  {
    title: 'not before',
    purpose: TABLE,
    objectives: ['A table at 7 pm, not before 6:30'],
    lines: [NO, 'A quarter to seven would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /6:45 pm/,
  },
  {
    title: 'not before, and earlier',
    purpose: TABLE,
    objectives: ['A table at 7 pm, not before 6:30'],
    lines: [NO, 'Six would be possible.', 'Yes.'],
    outcomes: ['offered'],
    offer: /6 pm/,
  },
  {
    title: 'the stricter of two limits',
    purpose: `${TABLE}, no later than 8 pm`,
    objectives: ['A table at 7 pm, or up to 9'],
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'preferences in their order',
    purpose: TABLE,
    objectives: ['Preferably a table at 7 pm, otherwise at 8:30'],
    lines: [NO, RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'if not possible, X is fine too',
    purpose: TABLE,
    objectives: ['A table at 7 pm. If not possible, 8:30 is fine too.'],
    lines: ['Seven is gone, sorry.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'any time in the evening',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or any time in the evening'],
    lines: [NO, 'Nine would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /9 pm/,
  },
  {
    title: 'any time in the evening, and noon',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or any time in the evening'],
    lines: [NO, 'We have something at noon.', 'Yes.'],
    outcomes: ['offered'],
    offer: /noon/,
  },
  {
    title: 'whatever is free',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or whatever is free'],
    lines: [NO, 'Ten would be possible.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /10 pm/,
  },
  {
    title: 'whatever is free, and fewer people',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or whatever is free'],
    lines: ['Only for two people.', NO, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'only, against a vague word in the context',
    purpose: TABLE,
    objectives: ['Only 7 pm'],
    context: { notes: 'I am flexible', flexible: true },
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'do not accept, against a vague word in the context',
    purpose: `${TABLE} at 7 pm. Do not accept anything else.`,
    objectives: ['A table at 7 pm'],
    context: { flexibility: 'yes' },
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered'],
  },
  {
    title: 'a rule among the objectives',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Do not accept another time'],
    lines: [NO, HALF_PAST_EIGHT, 'Yes.'],
    outcomes: ['offered', 'open'],
  },
  {
    title: 'a rule among the objectives, kept',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'Do not accept another time'],
    lines: ['Yes, that works.', 'Yes, that is all.'],
    outcomes: ['met', 'met'],
    type: 'success',
  },
  {
    title: 'a limit among the objectives',
    purpose: TABLE,
    objectives: ['A table at 7 pm', 'If that is not possible, 8:30 is fine too'],
    lines: [NO, RIGHT, 'Yes, that is all.'],
    outcomes: ['met_within_limits', 'met'],
    type: 'success',
  },
  {
    title: 'several offers, of which one is allowed',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 8:30'],
    lines: ['Seven is gone, I could do six or half past eight.', RIGHT],
    outcomes: ['met_within_limits'],
    offer: /8:30 pm/,
  },
  {
    title: 'several offers, of which none is allowed',
    purpose: TABLE,
    objectives: ['A table at 7 pm, or up to 7:30'],
    lines: ['Seven is gone, I could do six or half past eight.', 'Yes.'],
    outcomes: ['offered'],
  },
]
