export const SUMMARY_TYPES = ['success', 'failed', 'pending', 'other'] as const

export const ANALYTICS_DAYS_DEFAULT = 30
export const ANALYTICS_DAYS_MAX = 366

/** answered: somebody spoke. no_answer: busy too. */
export const CALL_OUTCOMES = ['answered', 'voicemail', 'no_answer', 'failed'] as const
export type CallOutcome = (typeof CALL_OUTCOMES)[number]
