/** What forms say, and the API about what is missing in the same place. */
export const FILL_IN_REQUIRED = 'Please fill in all required fields.'
export const EMAIL_INVALID = 'Please enter a valid email address'

export const LIST_LIMIT_DEFAULT = 50
export const LIST_LIMIT_MAX = 200
/** The limit of an uploaded file of numbers or contacts. */
export const LIST_FILE_MAX_BYTES = 10 * 1024 * 1024
