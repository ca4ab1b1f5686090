export const BATCH_ROWS_MAX = 100_000
/**
 * A hundred thousand calls, each with its purpose, an objective and a name, take 12.4 MB: more than a file of as many
 * rows, because every call names its fields. It is read as it comes in, never held whole (docs/decisions/0030).
 */
export const BATCH_ORDER_MAX_BYTES = 16 * 1024 * 1024
export const BATCH_PREVIEW_ROWS = 5
/** Columns a phone number is read from, first match wins; without one, the likeliest other column is guessed. */
export const PHONE_COLUMNS = ['phone', 'Phone', 'phone_number'] as const
export const UPLOAD_REQUIRED = 'Please fill in all required fields and upload contact data.'
export const BATCH_FILE_UNREADABLE = 'Failed to parse file. Please check the format.'

export const BATCH_STATUSES = ['draft', 'scheduled', 'running', 'paused', 'done', 'stopped'] as const

/**
 * hours: goes on by itself when calls may be made again; the others wait for `resume`. restored: the data was put back
 * from a backup.
 */
export const PAUSED_BY = ['person', 'credits', 'hours', 'failures', 'restored'] as const

/** dropped: refused when the list came in. cancelled: taken out later, by a rule or because the batch was stopped. */
export const BATCH_CONTACT_STATUSES = ['dropped', 'waiting', 'calling', 'completed', 'failed', 'cancelled'] as const

export const BATCH_ATTEMPTS_MAX = 5
export const BATCH_LIVE_CALLS_MAX = 50
export const BATCH_CALLS_PER_MINUTE_MAX = 600
export const BATCH_CALLS_PER_MINUTE_DEFAULT = 60
/** Outcomes after which a contact may be called again, and the minutes waited where the plan says nothing. */
export const RETRY_WAIT_MINUTES = { busy: 15, no_answer: 60, voicemail: 240, failed: 10 } as const
export const RETRY_OUTCOMES = ['busy', 'no_answer', 'voicemail', 'failed'] as const
export type RetryOutcome = (typeof RETRY_OUTCOMES)[number]

export const RETRY_WAIT_MINUTES_MAX = 10_080

export const BATCH_ACTIONS = ['start', 'schedule', 'pause', 'resume', 'stop', 'retry-failed'] as const

/** 'Batch {date} {time}', in the person's own locale. */
export function batchName(now: Date, locale?: string): string {
  return `Batch ${now.toLocaleDateString(locale)} ${now.toLocaleTimeString(locale)}`
}

export function batchDescription(contacts: number): string {
  return `Batch call with ${contacts} contacts`
}
