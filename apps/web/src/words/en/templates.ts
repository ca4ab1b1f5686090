import { type CAPABILITIES, type SecretFound, secretSentence } from '@parley/contract'

interface ReadyWords {
  readonly name: string
  readonly purpose: string
  readonly objectives: readonly string[]
}

/** A built-in template per capability. [Brackets] mark what the user must fill in. */
const ready: Readonly<Record<(typeof CAPABILITIES)[number], ReadyWords>> = {
  'negotiate hotel stays': {
    name: 'Negotiate a hotel stay',
    purpose:
      'Agree on a better price for a double room for two, from [arrival] to [departure]. Elsewhere it is offered for [price] a night.',
    objectives: ['A price per night below [price]', 'Breakfast is included', 'Free cancellation until the day before'],
  },
  'survey businesses and individuals': {
    name: 'Run a short survey',
    purpose: 'Ask three short questions about [topic], for a survey that takes two minutes.',
    objectives: [
      'How content they are with [topic], from 1 to 10',
      'What they would change first',
      'Whether we may ask them again next year',
    ],
  },
  'call friends and family': {
    name: 'Call a friend or relative',
    purpose: 'Ask how they are, and tell them that [news].',
    objectives: ['How they are', 'Whether it suits them to meet on [day]'],
  },
  'generate business leads': {
    name: 'Find business leads',
    purpose: 'Tell them that [company] offers [offer].',
    objectives: ['Who decides about it', 'Whether they want to know more', 'A time for a call with a colleague'],
  },
  'amend bookings': {
    name: 'Amend a booking',
    purpose: 'Move the booking in the name of [name] from [day and time] to [new day and time].',
    objectives: ['The booking is moved to [new day and time]', 'The change is free of charge'],
  },
  'send reminders': {
    name: 'Send a reminder',
    purpose: 'Remind them of the appointment with [name] on [day and time].',
    objectives: ['They will be there', 'Whether they need anything before then'],
  },
  'make restaurant reservations': {
    name: 'Reserve a table',
    purpose: 'Reserve a table for [number of people] on [day and time], in the name of [name].',
    objectives: ['A table on [day and time]', 'There are vegetarian dishes'],
  },
}

export const templates = {
  title: 'Templates',
  open: 'Start from a template',
  lead: 'Start from a call that is already set up. The phone number does not change.',
  own: 'Your templates',
  ownEmpty: 'None yet. Templates you save appear here.',
  readyTitle: 'Ready to use',
  ready,
  filled: 'The template replaced what you had typed.',
  secret: (found: SecretFound) => secretSentence(found),
  blanks: (list: string) => `Fill in what is in brackets: ${list}`,
  rename: (name: string) => `Rename ${name}`,
  renameTitle: 'Rename template',
  renamed: 'Template renamed',
  renameFailed: 'Failed to rename template.',
  delete: (name: string) => `Delete ${name}`,
  deleteTitle: 'Delete template',
  deleteQuestion: (name: string) => `“${name}” will be deleted. Calls made with it are kept.`,
  deleted: 'Template deleted',
  deleteFailed: 'Failed to delete template.',
  save: 'Save as template',
  saveTitle: 'Save as template',
  saveLead: 'Purpose, objectives, tone, duration, language and context are kept; the number is not.',
  name: 'Name',
  nameRequired: 'Please give the template a name.',
  saved: 'Template saved',
  saveFailed: 'Failed to save template.',
  failedTitle: 'Your templates could not be loaded',
} as const
