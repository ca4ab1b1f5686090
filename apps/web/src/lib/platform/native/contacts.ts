import type { PickedContact } from '../port.ts'
import { type Bridge, fieldsOf, textOf } from './bridge.ts'

const PROJECTION = { name: true, organization: true, phones: true, emails: true }

/** The system's contact picker. Undefined when the user chose none; rejects when access is denied. */
export async function pickContact({ call }: Bridge): Promise<PickedContact | undefined> {
  const { contact } = await call('Contacts', 'pickContact', { projection: PROJECTION }).catch((error: unknown) => {
    if (/cancel/i.test(String(error))) return { contact: undefined }
    throw error
  })
  if (contact === undefined || contact === null) return undefined
  const { name, organization, phones, emails } = fieldsOf(contact)
  return {
    name: textOf(fieldsOf(name)['display']),
    company: textOf(fieldsOf(organization)['company']),
    phone: textOf(primary(phones)['number']),
    email: textOf(primary(emails)['address']),
  }
}

function primary(list: unknown) {
  const all = Array.isArray(list) ? list.map((each: unknown) => fieldsOf(each)) : []
  return all.find(({ isPrimary }) => isPrimary === true) ?? all[0] ?? {}
}
