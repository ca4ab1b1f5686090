import { secretIn, secretSentence } from '@parley/contract'
import { AppError } from '../platform/errors.ts'

type Texts = Parameters<typeof secretIn>[0]

/** Takes no order that holds a card number or a password. `at`: where its fields stand in what was sent. */
export function refuseSecrets(order: Texts, at = ''): void {
  const found = secretIn(order)
  if (found) throw new AppError('secret_in_order', secretSentence(found), { field: at + found.field })
}

/** The same for what is said to the agent during a call. */
export function refuseSecretText(text: string, field: string): void {
  const found = secretIn({ purpose: text })
  if (found) throw new AppError('secret_in_order', secretSentence(found, 'what you say'), { field })
}

/** The same for a row of a list, which is told by its place. Its telephone number is no card's. */
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
