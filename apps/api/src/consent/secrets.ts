import { secretIn, secretSentence } from '@parley/contract'
import { AppError } from '../platform/errors.ts'

type Texts = Parameters<typeof secretIn>[0]

/** Throws for a card number or a password in a call's texts. `at`: path prefix of the fields in the request. */
export function refuseSecrets(order: Texts, at = ''): void {
  const found = secretIn(order)
  if (found) throw new AppError('secret_in_order', secretSentence(found), { field: at + found.field })
}

/** Throws for a card number or a password in a message to the agent. */
export function refuseSecretText(text: string, field: string): void {
  const found = secretIn({ purpose: text })
  if (found) throw new AppError('secret_in_order', secretSentence(found, 'what you say'), { field })
}

/** Throws for a secret in a row of a batch, naming its row. The phone number itself is exempt. */
export function refuseSecretsInRow({
  row,
  phone,
  context,
}: {
  row: number
  phone: string
  context: Readonly<Record<string, unknown>>
}): void {
  const others = Object.entries(context).filter(([, value]) => String(value).trim() !== phone)
  const found = secretIn({ context: Object.fromEntries(others) })
  if (found)
    throw new AppError('secret_in_order', `Row ${row}: ${secretSentence(found, 'its column')}`, { field: 'file' })
}
