/** How long a session that proved itself may do what a stolen one must not. */
export const STEP_UP_MINUTES = 10
export const EMAIL_CODE_DIGITS = 6
export const EMAIL_CODE_MINUTES = 10
export const EMAIL_CODE_TRIES = 5

export const STEP_UP_WAYS = ['password', 'code', 'passkey', 'email'] as const
export type StepUpWay = (typeof STEP_UP_WAYS)[number]
