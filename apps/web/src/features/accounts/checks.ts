import { PASSWORD_MIN_REGISTER, PASSWORD_MIN_RESET } from '@parley/contract'
import { isEmailAddress } from '../../lib/format/address.ts'
import { words } from '../../words/index.ts'

/** The message of an invalid form, and its fields. */
export interface FormProblem<Name extends string> {
  readonly message: string
  readonly fields: readonly Name[]
}

export interface Registration {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly confirmation: string
}

export function registrationProblem(form: Registration): FormProblem<keyof Registration> | undefined {
  const { register } = words().accounts
  const fields = (['name', 'email', 'password', 'confirmation'] as const).filter((field) => form[field].trim() === '')
  if (fields.length > 0) return { message: register.allRequired, fields }
  if (form.password.length < PASSWORD_MIN_REGISTER)
    return { message: register.passwordShort(PASSWORD_MIN_REGISTER), fields: ['password'] }
  if (form.password !== form.confirmation) return { message: register.passwordsDiffer, fields: ['confirmation'] }
  if (!isEmailAddress(form.email)) return { message: register.emailInvalid, fields: ['email'] }
  return undefined
}

export interface NewPassword {
  readonly password: string
  readonly confirmation: string
}

export function newPasswordProblem({
  password,
  confirmation,
}: NewPassword): FormProblem<keyof NewPassword> | undefined {
  const { register } = words().accounts
  if (password !== confirmation) return { message: register.passwordsDiffer, fields: ['confirmation'] }
  if (password.length < PASSWORD_MIN_RESET)
    return { message: register.passwordShort(PASSWORD_MIN_RESET), fields: ['password'] }
  return undefined
}
