import { CallOrder, type EndReason } from '@parley/contract'

/** Default subjects of rehearsals: typical first calls. */
export const SUBJECTS = [
  {
    purpose: 'Book a table for four at the Market Street House',
    objectives: ['a table for four on Friday at half past seven', 'ask whether there are vegetarian dishes'],
    context: { name: 'Anna Lee', phone: '+12125550188' },
  },
  {
    purpose: 'Negotiate the price of a hotel room for two nights',
    objectives: ['a discount of 10 percent', 'ask for the check-in time'],
    context: { name: 'Anna Lee', dates: '12 to 14 June' },
  },
  {
    purpose: 'Move the appointment at the dentist to another day',
    objectives: ['move the appointment from Monday to Thursday', 'confirm the new time'],
    context: { name: 'Anna Lee', birthdate: { value: '4 May 1985', private: false } },
  },
  {
    purpose: 'Ask how satisfied they are with their last stay',
    objectives: ['how satisfied they were on a scale from one to ten', 'what could be improved'],
    context: {},
  },
] as const

const AREA = '+1212555'

/** An order to one of the test numbers. */
export function orderTo(number: string, changes: Partial<CallOrder> = {}): CallOrder {
  return CallOrder.parse({
    callId: `rehearsal-${number}`,
    callee: `${AREA}${number}`,
    language: 'auto',
    ...SUBJECTS[0],
    tone: 'professional',
    voiceId: 'default',
    onBehalfOf: 'Anna Lee',
    limitSeconds: 180,
    userId: 'rehearsal',
    ...changes,
  })
}

/** End reasons of a call to each persona. */
export const ENDINGS: Readonly<Record<string, readonly EndReason[]>> = {
  '0100': ['agent_closed'],
  '0101': ['busy'],
  '0102': ['no_answer'],
  '0103': ['voicemail'],
  '0104': ['not_in_service'],
  '0105': ['callee_hung_up'],
  '0106': ['agent_closed'],
  '0107': ['silence'],
  '0108': ['agent_closed'],
  '0109': ['opted_out'],
  '0110': ['agent_closed'],
  '0111': ['time_limit'],
  '0112': ['carrier_dropped'],
  '0113': ['agent_closed'],
  '0114': ['agent_closed'],
  '0115': ['agent_closed', 'screened'],
  '0116': ['agent_closed', 'refused_to_talk'],
  '0199': ['no_answer'],
}
