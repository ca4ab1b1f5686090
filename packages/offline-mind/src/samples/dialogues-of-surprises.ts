import { type Dialogue, TABLE } from './dialogues.ts'

/** Callees who interrupt, hesitate, change their mind, are somebody else or speak another language. */
export const DIALOGUES_OF_SURPRISES: Readonly<Record<string, Dialogue>> = {
  'a callee who asks for a repeat and for time': {
    order: TABLE,
    opening: /7 pm/,
    steps: [
      ['Sorry?', /a table at 7 pm be possible\?$/],
      ['One moment please.', /^Of course, take your time\.$/],
      [{ type: 'silence', count: 1 }, /^$/],
      ['Let me check the book.', /take your time/],
      ['Okay, yes, that is possible.', /Is that everything/],
      [{ type: 'silence', count: 1 }, /^Are you still there\?$/],
      [{ type: 'silence', count: 2 }, /still there/],
      [{ type: 'silence', count: 3 }, /hang up now\. Goodbye/],
    ],
    ends: 'silence',
    outcomes: ['met'],
    summary: { type: 'success', title: /agreed for Friday 7 pm/ },
  },
  'a callee who has no time': {
    order: {},
    opening: /./,
    steps: [
      ["I'm driving, can you call back later?", /When would be a good time to call back\?$/],
      ['Tomorrow at ten.', /tomorrow at 10.*Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: ['open', 'open'],
    summary: {
      type: 'pending',
      title: /^Call back about/,
      actionText: 'Call again; the callee said: "Tomorrow at ten."',
    },
  },
  'another person who takes a message': {
    order: { purpose: 'Tell Mr. Brown that the car is ready', objectives: [], onBehalfOf: 'Joe Garage' },
    opening: /^I'd like to let you know that the car is ready/,
    steps: [
      [
        'Mr. Brown is not here right now, who is this?',
        /AI assistant calling on behalf of Joe Garage\..*good time to call back\?$/,
      ],
      ['Can I take a message?', /^Yes, please\. I'd like to let you know that the car is ready\./],
      ['Okay, bye.', /Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: [],
    summary: { type: 'pending', title: /left open/, description: /A message was left with the person who answered/ },
  },
  'a doubtful callee': {
    order: { purpose: 'Book a table for two tomorrow at 8 pm', objectives: [] },
    opening: /tomorrow at 8 pm\. Would that be possible\?$/,
    steps: [
      ['Maybe.', /as a yes for now\?$/],
      ['I would have to ask my boss.', /Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: [],
    summary: { type: 'pending', title: /left open$/ },
  },
  'an agreement on a condition': {
    order: { purpose: 'Book a room for tonight', objectives: [] },
    opening: /Would that be possible\?$/,
    steps: [
      [
        "Yes, but you'd have to arrive before six.",
        /noted a room for tonight, but you'd have to arrive before six\. I'll check that.*Goodbye/,
      ],
    ],
    ends: 'agent_closed',
    outcomes: [],
    summary: {
      type: 'pending',
      title: /^Room for tonight offered on a condition$/,
      nextSteps: [
        "They offer a room for tonight, but you'd have to arrive before six: accept it or ask for something else.",
      ],
    },
  },
  'a callee who takes an agreement back': {
    order: TABLE,
    opening: /7 pm/,
    steps: [
      ['Yes.', /Is that everything/],
      ['Oh wait, actually no, we are closed on Friday.', /something close to that you could offer instead\?$/],
      [
        'Saturday at 7 would be possible.',
        /noted a table at 7 pm on Saturday\. I'll check that and come back to you.*Goodbye/,
      ],
    ],
    ends: 'agent_closed',
    outcomes: ['offered'],
    summary: { type: 'pending', title: /^Table at 7 pm on Saturday offered, not table at 7 pm$/ },
  },
  'an instruction of the user during the call': {
    order: TABLE,
    opening: /7 pm/,
    steps: [
      [{ type: 'instruction', text: 'Ask about parking' }, /^Could you tell me about parking\?$/],
      ['Yes, there is a garage next door.', /a table at 7 pm be possible\?$/],
      [{ type: 'instruction', text: 'Ask also about lunch' }, /^Could you tell me about lunch\?$/],
      ['Lunch is from noon.', /a table at 7 pm be possible\?$/],
      [
        { type: 'instruction', text: 'Tell them we will be five people' },
        /told: we will be five people\..*7 pm be possible\?$/,
      ],
      ['Yes, that works.', /Is that everything/],
      ['I need an email address.', /don't have that information/],
      [{ type: 'instruction', text: 'The email is anna@example.com' }, /The email address is anna@example.com/],
      [{ type: 'instruction', text: 'End the call' }, /Goodbye/],
    ],
    ends: 'agent_closed',
    outcomes: ['met'],
    summary: { type: 'success', title: /agreed/ },
  },
  'a time limit that is near': {
    order: {},
    opening: /./,
    steps: [
      ['Well, let me tell you about my garden first.', /./],
      [{ type: 'time_nearly_up' }, /^I'm afraid my time is up[^.]*\.$/],
    ],
    ends: 'time_limit',
    outcomes: ['open', 'open'],
    summary: { type: 'failed', title: /left open/ },
  },
  'a voicemail': {
    order: {},
    opening: /./,
    steps: [[{ type: 'voicemail' }, /book a table for four on Friday\. Please call back on \+1 415 555 0123/]],
    ends: 'voicemail',
    outcomes: ['open', 'open'],
    summary: { type: 'pending', title: /^Voicemail left about a table/, actionRequired: true },
  },
  'a callee who speaks Spanish': {
    order: { ...TABLE, objectives: ['Table at 7 pm, or up to 8:30'] },
    opening: /^I'm calling/,
    steps: [
      ['Perdone, no hablo inglés. ¿Habla usted español?', /^Llamo por lo siguiente.*¿Sería posible\?$/],
      ['¿Quién es?', /Soy un asistente de inteligencia artificial/],
      ['A las siete no, pero a las ocho hay sitio.', /a table at 20:00, ¿es correcto\?$/],
      ['Sí.', /¿Necesita algo más/],
      ['No, eso es todo. Adiós.', /en resumen.*¡Adiós!$/],
    ],
    ends: 'agent_closed',
    outcomes: ['met_within_limits'],
    summary: { type: 'success', title: /agreed/ },
  },
  'a call in German': {
    order: {
      language: 'de',
      purpose: 'Einen Tisch für vier am Freitag reservieren',
      objectives: ['Tisch um 19 Uhr, oder bis 20:30 Uhr', 'Öffnungszeiten erfragen'],
    },
    opening: /./,
    steps: [
      [
        'Guten Tag, Gasthaus Krone, was kann ich für Sie tun?',
        /^Ich rufe an, um einen Tisch für vier am Freitag zu reservieren\..*Tisch um 19 Uhr\?$/,
      ],
      ['Um sieben leider nicht, aber um acht ginge es.', /Tisch um 20 Uhr, richtig\?$/],
      ['Ja, genau.', /Öffnungszeiten\?$/],
      ['Von elf bis zweiundzwanzig Uhr.', /Ist das alles/],
      ['Ja, das war alles.', /Auf Wiederhören/],
    ],
    ends: 'agent_closed',
    outcomes: ['met_within_limits', 'met'],
    summary: { type: 'success', title: /Tisch um 20 Uhr agreed/ },
  },
}
