import { Email, EMAIL_INVALID, type PASSWORD_MIN_REGISTER, type PASSWORD_MIN_RESET } from '@parley/contract'
import { dictionary } from '@zxcvbn-ts/language-common'
import { AppError } from '../../platform/errors.ts'

const COMMONEST = 10_000
const common: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, COMMONEST).map(String))

/** Checks a new password; registration has a higher minimum length than a reset. */
export function checkNewPassword(
  password: string,
  use: { field: string; minimum: typeof PASSWORD_MIN_REGISTER | typeof PASSWORD_MIN_RESET },
): void {
  const { field, minimum } = use
  if (password.length < minimum)
    throw new AppError('weak_password', `Password must be at least ${minimum} characters long`, { field })
  if (common.has(password.toLowerCase())) {
    throw new AppError('weak_password', 'This password is one of the most common ones. Please choose another.', {
      field,
    })
  }
}

/** Addresses are validated before they become lower case: the Kelvin sign (U+212A) lower-cases to a plain k. */
export function readEmail(text: string): string {
  const parsed = Email.safeParse(text.trim())
  if (!parsed.success) throw new AppError('invalid_input', EMAIL_INVALID, { field: 'email' })
  return parsed.data.toLowerCase()
}
