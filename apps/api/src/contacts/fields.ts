import { CONTACT_TAGS_MAX } from '@parley/contract'

/** What a person writes down about somebody. Empty texts are nothing. */
export interface ContactFields {
  readonly name: string
  readonly phone: string
  readonly email: string | null
  readonly company: string | null
  readonly title: string | null
  readonly notes: string | null
  readonly tags: readonly string[]
}

/** The first of two contacts, with what it lacks taken from the second; tags of both, each once. */
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
