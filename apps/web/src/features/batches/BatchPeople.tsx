import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, type BatchContact, type BatchContactStatus } from '@parley/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { duration } from '../../lib/format.ts'
import { phoneText } from '../../lib/phone.ts'
import { useWords } from '../../lib/words/index.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { optionsOf, Select } from '../../ui/Select.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { batchContactsQuery, CONTACT_FILTERS, type ContactFilter } from './api.ts'

/** Everybody on the list, in its order, with what came of each. */
export function BatchPeople({ id }: { readonly id: string }) {
  const { run, contactStatuses } = useWords().batches
  const [status, setStatus] = useState<ContactFilter>('all')
  const [limit, setLimit] = useState(LIST_LIMIT_DEFAULT)
  const people = useQuery({ ...batchContactsQuery(id, status, limit), placeholderData: keepPreviousData })
  const items = people.data?.items ?? []
  return (
    <section aria-labelledby="batch-people" className="mt-8">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <h2 id="batch-people" className="text-lg font-semibold">
          {run.contacts}
        </h2>
        <Field label={run.filter} className="w-44">
          <Select value={status} onValueChange={setStatus} options={optionsOf(CONTACT_FILTERS, contactStatuses)} />
        </Field>
      </div>
      {people.isError && !people.data && (
        <ErrorState title={run.contactsFailed} retrying={people.isFetching} onRetry={() => void people.refetch()} />
      )}
      {people.isPending && <Skeleton className="h-64 rounded-base" />}
      {people.data && items.length === 0 && <p className="text-muted">{run.none}</p>}
      {items.length > 0 && (
        <ul className="divide-y divide-line rounded-base border border-line bg-surface shadow-soft">
          {items.map((contact) => (
            <PersonLine key={contact.row} contact={contact} />
          ))}
        </ul>
      )}
      {people.data?.nextCursor !== undefined && limit < LIST_LIMIT_MAX && (
        <Button variant="secondary" className="mt-4" onClick={() => setLimit(limit + LIST_LIMIT_DEFAULT)}>
          {run.more}
        </Button>
      )}
    </section>
  )
}

const TONES: Partial<Record<BatchContactStatus, Tone>> = { calling: 'live', completed: 'good', failed: 'bad' }

function PersonLine({ contact }: { readonly contact: BatchContact }) {
  const { batches, contacts } = useWords()
  const { run, contactStatuses } = batches
  const { name, callee, phone, status, code, attempts, nextAttemptAt, outcomes, summary, durationSeconds } = contact
  const number = callee ? phoneText(callee).number : phone
  const met = outcomes.filter((outcome) => outcome.status === 'met').length
  const facts = [
    name && number,
    attempts > 1 && run.attempts(attempts),
    durationSeconds ? duration(durationSeconds) : undefined,
    outcomes.length > 0 && run.met(met, outcomes.length),
    code && (contacts.reasons[code] ?? contacts.otherReason),
  ].filter(Boolean)
  return (
    <li className="px-4 py-3 sm:px-5">
      <div className="flex items-center justify-between gap-3">
        <p className="tabular min-w-0 truncate font-medium">{name ?? number}</p>
        <Badge tone={TONES[status] ?? 'neutral'} pulse={status === 'calling'}>
          {contactStatuses[status]}
        </Badge>
      </div>
      <p className="tabular text-sm text-muted">
        {facts.join(' · ')}
        {nextAttemptAt && attempts > 0 && status === 'waiting' && (
          <>
            {' · '}
            {run.nextAt} <TimeAgo at={nextAttemptAt} />
          </>
        )}
      </p>
      {summary && <p className="mt-1 line-clamp-2 text-sm">{summary}</p>}
    </li>
  )
}
