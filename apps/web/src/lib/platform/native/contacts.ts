import type { PickedContact } from '../port.ts'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'

/** Chosen by its number, the picker needs no permission, and gives this contact alone. */
const CHOICE = { property: 'phoneNumber', multiple: false }

/** The system's contact picker. Undefined when the user chose none; rejects when it cannot be opened. */
export async function pickContact({ call }: Bridge): Promise<PickedContact | undefined> {
  const { contacts } = await call('CapacitorContacts', 'pickContacts', CHOICE).catch((error: unknown) => {
    if (/cancel/i.test(String(error))) return { contacts: [] }
    throw error
  })
  const [contact] = listOf(contacts)
  if (!contact) return undefined
  return {
    name: textOf(contact['fullName']) || textOf(contact['displayName']),
    company: textOf(contact['organizationName']),
    phone: valueOf(contact['phoneNumbers']),
    email: valueOf(contact['emailAddresses']),
  }
}

function valueOf(list: unknown): string {
  const all = listOf(list)
  return textOf((all.find(({ isPrimary }) => isPrimary === true) ?? all[0])?.['value'])
}

function listOf(list: unknown) {
  return Array.isArray(list) ? list.map((each: unknown) => fieldsOf(each)) : []
}
