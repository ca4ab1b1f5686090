import { CONTACT_TAGS_MAX } from '@parley/contract'

/** The editable fields of a contact. An empty text means no value. */
export interface ContactFields {
  readonly name: string
  readonly phone: string
  readonly email: string | null
  readonly company: string | null
  readonly title: string | null
  readonly notes: string | null
  readonly tags: readonly string[]
}

/** The first contact, with missing fields from the second, and the distinct tags of both. */
export function completed<T extends Omit<ContactFields, 'phone'>>(first: T, second: Omit<ContactFields, 'phone'>): T {
  const tags = new Map([...second.tags, ...first.tags].map((tag) => [tag.toLowerCase(), tag]))
  return {
    ...first,
    email: first.email || second.email,
    company: first.company || second.company,
    title: first.title || second.title,
    notes: first.notes || second.notes,
    tags: [...tags.values()].slice(0, CONTACT_TAGS_MAX),
  }
}
