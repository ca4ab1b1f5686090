import type { Call, Contact } from '@parley/contract'
import { contactsRoutes } from '@parley/contract/page'
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { fetchMore } from '../../lib/server/fetchMore.ts'
import { count } from '../../lib/format/format.ts'
import { request, sentenceOf } from '../../lib/server/http.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useSettled } from '../../lib/useSettled.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Input } from '../../ui/form/Input.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { contactsQuery, useContactsChanged } from './api.ts'
import { ContactCalls } from './ContactCalls.tsx'
import { ContactCard } from './ContactCard.tsx'
import { ContactDialog } from './ContactDialog.tsx'
import { Duplicates } from './Duplicates.tsx'
import { TagFilter } from './TagFilter.tsx'

interface ContactListProps {
  readonly renderCall: (call: Call) => ReactNode
  readonly onAdd: () => void
}

type Opened = { readonly contact: Contact; readonly as: 'edit' | 'delete' | 'calls' }

/** The card grid with search and tag filter, and the dialogs of its cards. */
export function ContactList({ renderCall, onAdd }: ContactListProps) {
  const { contacts } = useWords()
  const { id } = useSignedInUser()
  const [typed, setTyped] = useState('')
  const [tag, setTag] = useState('')
  const [opened, setOpened] = useState<Opened>()
  const q = useSettled(typed.trim())
  const list = useInfiniteQuery({ ...contactsQuery(id, q, tag), placeholderData: keepPreviousData })
  const items = list.data?.items ?? []
  const isFiltered = q !== '' || tag !== ''
  const close = () => setOpened(undefined)
  const cards = useRef<HTMLUListElement>(null)
  const [deletedId, setDeletedId] = useState<string>()
  const isGone = deletedId !== undefined && items.every((contact) => contact.id !== deletedId)
  useEffect(() => {
    // The focus was on a button of the removed card.
    if (isGone && document.activeElement === document.body) cards.current?.focus()
  }, [isGone])
  return (
    <>
      <Duplicates />
      <div className="mb-5 flex flex-wrap items-end gap-x-5 gap-y-3">
        <Field label={contacts.search} className="w-full sm:max-w-sm">
          <Input
            type="search"
            value={typed}
            placeholder={contacts.searchPlaceholder}
            onChange={({ target }) => setTyped(target.value)}
          />
        </Field>
        <TagFilter tag={tag} onTag={setTag} />
        <p className="tabular ml-auto pb-2 text-sm text-muted" aria-live="polite">
          {list.data && contacts.count(list.data.total, count(list.data.total))}
        </p>
      </div>
      {list.isError && !list.data && (
        <ErrorState title={contacts.failedTitle} retrying={list.isFetching} onRetry={() => void list.refetch()} />
      )}
      {list.isPending && <LoadingCards />}
      {list.data && items.length === 0 && (
        <EmptyState
          title={isFiltered ? contacts.noneTitle : contacts.emptyTitle}
          hint={isFiltered ? contacts.noneHint : contacts.emptyHint}
        >
          {!isFiltered && <Button onClick={onAdd}>{contacts.add}</Button>}
        </EmptyState>
      )}
      <ul
        ref={cards}
        tabIndex={-1}
        className="grid grid-cols-1 gap-4 outline-none sm:grid-cols-2 xl:grid-cols-3"
        aria-busy={list.isPlaceholderData}
      >
        {items.map((contact) => (
          <ContactCard
            key={contact.id}
            contact={contact}
            onEdit={() => setOpened({ contact, as: 'edit' })}
            onDelete={() => setOpened({ contact, as: 'delete' })}
            onCalls={() => setOpened({ contact, as: 'calls' })}
          />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-5"
          pending={list.isFetchingNextPage}
          onClick={() => void fetchMore(list)}
        >
          {contacts.more}
        </Button>
      )}
      {opened?.as === 'edit' && <ContactDialog contact={opened.contact} onClose={close} />}
      {opened?.as === 'calls' && <ContactCalls contact={opened.contact} renderCall={renderCall} onClose={close} />}
      {opened?.as === 'delete' && <DeleteContact contact={opened.contact} onDeleted={setDeletedId} onClose={close} />}
    </>
  )
}

interface DeleteContactProps {
  readonly contact: Contact
  readonly onDeleted: (id: string) => void
  readonly onClose: () => void
}

function DeleteContact({ contact, onDeleted, onClose }: DeleteContactProps) {
  const { common, contacts } = useWords()
  const changed = useContactsChanged()
  const deleting = useMutation({
    mutationFn: async () => request(contactsRoutes.remove, { params: { id: contact.id } }),
    onSuccess: () => {
      toast({ tone: 'success', title: contacts.deleted })
      onDeleted(contact.id)
      void changed()
    },
    onError: (error) =>
      toast({ tone: 'error', title: common.error, description: sentenceOf(error, contacts.form.deleteFailed) }),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={contacts.deleteTitle}
      question={contacts.deleteQuestion}
      confirm={common.delete}
      pending={deleting.isPending}
      onConfirm={() => deleting.mutate(undefined, { onSettled: onClose })}
    />
  )
}

function LoadingCards() {
  return (
    <div aria-busy="true" className="grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} className="h-44 rounded-base" />
      ))}
    </div>
  )
}
