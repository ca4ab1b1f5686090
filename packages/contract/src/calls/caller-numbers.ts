/** Numbers that an account may have to call from, and the codes with which a user proves that a phone is theirs. */
export const CALLER_NUMBERS_MAX = 10
export const CALLER_CODE_DIGITS = 6
export const CALLER_CODE_MINUTES = 10
export const CALLER_CODE_TRIES = 5
export const VERIFICATIONS_PER_ACCOUNT_PER_DAY = 5
/** Of all accounts together. */
export const VERIFICATIONS_PER_NUMBER_PER_DAY = 3

/** owned: a number of the carrier that the operator assigned. verified: the user's own phone. */
export const CALLER_NUMBER_KINDS = ['owned', 'verified'] as const
export const VERIFICATION_STATUSES = ['calling', 'ringing', 'answered', 'over'] as const

/** Ids of calls that tell a code begin so; such calls are no calls of the history. */
const VERIFICATION_PREFIX = 'verification-'
export const newVerificationId = (unique: string): string => VERIFICATION_PREFIX + unique
export const isVerificationId = (callId: string): boolean => callId.startsWith(VERIFICATION_PREFIX)
