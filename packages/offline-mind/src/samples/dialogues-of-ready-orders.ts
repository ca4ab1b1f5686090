import type { Dialogue } from './dialogues.ts'

/** Calls ordered from the page's templates: statements, "whether" and "if". */
export const DIALOGUES_OF_READY_ORDERS: Readonly<Record<string, Dialogue>> = {
  'a reminder that is confirmed': {
    order: {
      purpose: 'Remind them of the appointment with Doctor Grey on Monday at 9 am.',
      objectives: ['They will be there', 'Whether they need anything before then'],
    },
    opening: /remind you of your appointment with Doctor Grey on Monday at 9 am\. Will you be there\?$/,
    steps: [
      ['Monday, let me see.', /take your time/],
      ["I'll be there.", /do you need anything before then\?$/],
      ['No, nothing.', /recap: you will be there\..*Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: ['met', 'met'],
    summary: {
      type: 'success',
      title: /^Reminder about the appointment/,
      description: /It was confirmed that they will be there; and asked whether they need/,
    },
  },
  'a reminder refused in a full sentence': {
    order: {
      purpose: 'Remind them of the appointment with Doctor Grey on Monday at 9 am.',
      objectives: ['They will be there'],
    },
    opening: /Will you be there\?$/,
    steps: [["I won't be there.", /Goodbye/]],
    ends: 'agent_closed',
    outcomes: ['refused'],
    summary: { title: /^Not agreed: they will be there$/ },
  },
  'a reminder answered with doubt': {
    order: {
      purpose: 'Remind them of the appointment with Doctor Grey on Monday at 9 am.',
      objectives: ['They will be there'],
    },
    opening: /Will you be there\?$/,
    steps: [["I really doubt I'll be there.", /Goodbye/]],
    ends: 'agent_closed',
    outcomes: ['refused'],
    summary: { title: /^Not agreed: they will be there$/ },
  },
  'a reminder that is refused': {
    order: {
      purpose: 'Remind them of the appointment with Doctor Grey on Monday at 9 am.',
      objectives: ['They will be there'],
    },
    opening: /Will you be there\?$/,
    steps: [["No, I can't.", /Goodbye/]],
    ends: 'agent_closed',
    outcomes: ['refused'],
    summary: {
      type: 'failed',
      title: /^Not agreed: they will be there$/,
      description: /Not agreed: they will be there\./,
    },
  },
  'a change of a booking at a fee': {
    order: {
      purpose: 'Move the booking in the name of Anna Lee from Friday at 7 pm to Saturday at 8 pm.',
      objectives: ['The booking is moved to Saturday at 8 pm', 'The change is free of charge'],
    },
    opening: /Saturday at 8 pm\. Could the booking be moved to Saturday at 8 pm\?$/,
    steps: [
      ['Yes, that works.', /is the change free of charge\?$/],
      ['It costs ten dollars altogether.', /change free of charge\?$/],
      ['No.', /everything you need/],
      ['Yes, that is all.', /recap: the booking is moved to Saturday at 8 pm\./],
    ],
    ends: 'agent_closed',
    outcomes: ['met', 'refused'],
    summary: {
      title: /^Agreed: the booking is moved to Saturday at 8 pm$/,
      description:
        /It was agreed that the booking is moved to Saturday at 8 pm\. Not agreed: the change is free of charge\./,
    },
  },
  'a hotel price below the limit at once': {
    order: {
      purpose: 'Agree on a better price for a double room for two, from Friday the 4th to Sunday the 6th.',
      objectives: ['A price per night below 120 dollars'],
    },
    opening: /Sunday the 6th\. Would a price per night below 120 dollars be possible\?$/,
    steps: [
      ['That would be a hundred and ten.', /everything you need/],
      ['Yes, that is all.', /recap: a price per night below 120 dollars, namely 110 dollars\./],
    ],
    ends: 'agent_closed',
    outcomes: ['met_within_limits'],
    summary: {
      type: 'success',
      title: /agreed/,
      description: /A price per night below 120 dollars, namely 110 dollars was agreed/,
    },
  },
  'a survey with permission to ask again': {
    order: {
      purpose: 'Ask three short questions about the new bus, for a survey that takes two minutes.',
      objectives: ['How content they are with the new bus, from 1 to 10', 'Whether we may ask them again next year'],
    },
    opening: /takes two minutes\. Could you tell me how content you are with the new bus, from 1 to 10\?$/,
    steps: [
      ['Eight.', /may we ask you again next year\?$/],
      ['No, please do not.', /Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: ['met', 'refused'],
    summary: { title: /./, description: /Not agreed: whether we may ask them again next year/ },
  },
  'a callee who asks how the agent is': {
    order: {
      purpose: 'Ask how they are, and tell them that we have a new dog.',
      objectives: ['How they are', 'Whether it suits them to meet on Sunday'],
    },
    opening: /tell you that we have a new dog\. Could you tell me how you are\?$/,
    steps: [
      ['Fine, thanks. How can I help you?', /would it suit you to meet on Sunday\?$/],
      ['Yes, gladly.', /Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: ['met', 'met'],
    summary: { type: 'success', title: /2 of 2 answered/ },
  },
  'a change of a booking at a fee, in Spanish': {
    order: {
      purpose: 'Pasar la reserva a nombre de Ana del viernes a las 7 al sábado a las 8.',
      objectives: ['El cambio no cuesta nada'],
    },
    opening:
      /^I'm calling about the following: Pasar la reserva .* a las 8\. The request is as follows: El cambio no cuesta nada\./,
    steps: [
      ['Hola, buenos días, no hablo inglés.', /sábado a las 8\. ¿El cambio no cuesta nada\?$/],
      ['Son ochenta euros en total.', /cuesta nada\?$/],
      ['No.', /adiós|Adiós/],
    ],
    ends: 'agent_closed',
    outcomes: ['refused'],
    summary: { type: 'failed', title: /./ },
  },
  'a callee who keeps asking why': {
    order: { purpose: 'Book a table for four on Friday', objectives: ['Table at 7 pm'] },
    opening: /7 pm be possible\?$/,
    steps: [
      ['Why are you calling?', /7 pm be possible\?$/],
      ['What is this about?', /7 pm be possible\?$/],
      ['How can I help you?', /7 pm be possible\?$/],
      ['Why are you calling?', /7 pm be possible\?$/],
      ['What is this about?', /Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: ['open'],
    summary: { type: 'failed', title: /./ },
  },
}
