import { words } from '../../words/index.ts'

type Checked = Pick<HTMLInputElement, 'type' | 'min' | 'max' | 'validationMessage'> & {
  readonly validity: Partial<
    Pick<ValidityState, 'valid' | 'valueMissing' | 'typeMismatch' | 'rangeUnderflow' | 'rangeOverflow'>
  >
}

/** The error of a control in the page's texts and language, not the browser's. */
export function validationMessageOf({ validity, type, min, max, validationMessage }: Checked): string | undefined {
  if (validity.valid === true) return undefined
  const { accounts, common } = words()
  if (validity.valueMissing === true) return common.fillIn
  if (validity.typeMismatch === true && type === 'email') return accounts.register.emailInvalid
  if (validity.typeMismatch === true && type === 'url') return common.urlInvalid
  if (validity.rangeUnderflow === true || validity.rangeOverflow === true) return common.outOfRange(min, max)
  return validationMessage
}
