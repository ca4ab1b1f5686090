import type { Contact } from '@parley/contract'

/** The form's fields. */
export interface ContactTexts {
  name: string
  phone: string
  email: string
  company: string
  title: string
  notes: string
  tags: string
}

export const REQUIRED = ['name', 'phone'] as const

export function textsOf(contact: Contact | undefined): ContactTexts {
  const { name = '', phone = '', email, company, title, notes, tags = [] } = contact ?? {}
  return {
    name,
    phone,
    email: email ?? '',
    company: company ?? '',
    title: title ?? '',
    notes: notes ?? '',
    tags: tags.join(', '),
  }
}

/** The request body; an empty text clears a field. */
export function bodyOf({ tags, ...texts }: ContactTexts) {
  return { ...texts, tags: tagsIn(tags) }
}

/** Case-insensitively unique. */
export function tagsIn(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim())
  return tags.filter(
    (tag, place) => tag !== '' && tags.findIndex((each) => each.toLowerCase() === tag.toLowerCase()) === place,
  )
}
