import type { Contact } from '@parley/contract'
import { Link } from '@tanstack/react-router'
import { Pencil, Phone, Trash2, User } from 'lucide-react'
import { count } from '../../lib/format/format.ts'
import { phoneText } from '../../lib/format/phone.ts'
import { useWords } from '../../words/index.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'

interface ContactCardProps {
  readonly contact: Contact
  readonly onEdit: () => void
  readonly onDelete: () => void
  readonly onCalls: () => void
}

/** A contact: name, number, details, and a link that calls. */
export function ContactCard({ contact, onEdit, onDelete, onCalls }: ContactCardProps) {
  const { contacts } = useWords()
  const { number, country } = phoneText(contact.phone)
  const about = [contact.title, contact.company].filter(Boolean).join(', ')
  return (
    <li className="flex min-w-0 flex-col [contain-intrinsic-size:auto_11rem] [content-visibility:auto] rounded-base border border-line bg-surface p-4 shadow-soft">
      <div className="flex items-start gap-3">
        <span
          aria-hidden="true"
          className="grid size-11 shrink-0 place-items-center rounded-full bg-mint font-semibold text-brand"
        >
          {initialsOf(contact.name) || <User className="size-5" />}
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-base font-semibold">{contact.name}</h2>
          <p className="truncate text-sm text-muted">{about || country}</p>
        </div>
        <div className="-mt-1 -mr-2 flex">
          <Button variant="quiet" size="icon" aria-label={contacts.edit(contact.name)} onClick={onEdit}>
            <Pencil className="size-4 text-muted" aria-hidden="true" />
          </Button>
          <Button variant="quiet" size="icon" aria-label={contacts.delete(contact.name)} onClick={onDelete}>
            <Trash2 className="size-4 text-muted" aria-hidden="true" />
          </Button>
        </div>
      </div>
      <p className="tabular mt-3 font-medium">{number}</p>
      {contact.email && <p className="truncate text-sm text-muted">{contact.email}</p>}
      {contact.notes && <p className="mt-2 line-clamp-2 text-sm">{contact.notes}</p>}
      {contact.tags.length > 0 && (
        <ul aria-label={contacts.tags} className="mt-2 flex flex-wrap gap-1.5">
          {contact.tags.map((tag) => (
            <li key={tag} className="rounded-full bg-mint px-2.5 py-0.5 text-sm">
              {tag}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-auto flex items-center justify-between gap-3 pt-4">
        {contact.totalCalls > 0 ? (
          <button type="button" className="link min-h-9 text-left text-sm" onClick={onCalls}>
            {contacts.showCalls(contact.totalCalls, count(contact.totalCalls))} ·{' '}
            {contacts.successful(count(contact.successfulCalls))}
            <span className="sr-only">: {contacts.callsOf(contact.name)}</span>
          </button>
        ) : (
          <span className="text-sm text-muted">{contacts.showCalls(0, '')}</span>
        )}
        <ButtonLink size="small">
          <Link to="/make-call" search={{ phone: contact.phone }} aria-label={contacts.callWhom(contact.name)}>
            <Phone className="size-4" aria-hidden="true" />
            {contacts.call}
          </Link>
        </ButtonLink>
      </div>
    </li>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word))
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase()
}
