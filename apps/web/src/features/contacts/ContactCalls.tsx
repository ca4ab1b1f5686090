import type { Call, Contact } from '@parley/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { fetchMore } from '../../lib/server/fetchMore.ts'
import { phoneText } from '../../lib/format/phone.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { Button } from '../../ui/Button.tsx'
import { Sheet } from '../../ui/Dialog.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { callsToQuery } from './api.ts'

interface ContactCallsProps {
  readonly contact: Contact
  readonly renderCall: (call: Call) => ReactNode
  readonly onClose: () => void
}

/** The calls to a contact's number, in a sheet. */
export function ContactCalls({ contact, renderCall, onClose }: ContactCallsProps) {
  const { contacts } = useWords()
  const { id } = useSignedInUser()
  const calls = useInfiniteQuery(callsToQuery(id, contact))
  return (
    <Sheet
      side="right"
      open
      onOpenChange={(open) => !open && onClose()}
      title={contacts.callsOf(contact.name)}
      lead={<span className="tabular">{phoneText(contact.phone).number}</span>}
    >
      {calls.isError && !calls.data && (
        <ErrorState title={contacts.callsFailed} retrying={calls.isFetching} onRetry={() => void calls.refetch()} />
      )}
      {calls.isPending && <Skeleton className="h-40 rounded-base" />}
      {calls.data?.items.length === 0 && <p className="text-muted">{contacts.noCalls}</p>}
      <ul className="grid grid-cols-1 gap-5">
        {calls.data?.items.map((call) => (
          <li key={call.id}>{renderCall(call)}</li>
        ))}
      </ul>
      {calls.hasNextPage && (
        <Button
          variant="secondary"
          className="mt-5 shrink-0"
          pending={calls.isFetchingNextPage}
          onClick={() => void fetchMore(calls)}
        >
          {contacts.moreCalls}
        </Button>
      )}
    </Sheet>
  )
}
