import { type BatchContact, type BatchContactStatus, PHASES } from '@parley/contract'
import { useState } from 'react'
import { classes } from '../../lib/classes.ts'
import { count, duration, exactTime } from '../../lib/format/format.ts'
import { endingLabel, tallyOf } from '../../lib/format/outcomes.ts'
import { phoneText } from '../../lib/format/phone.ts'
import { usePages } from '../../lib/server/usePages.ts'
import { useWords } from '../../words/index.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { Field } from '../../ui/form/Field.tsx'
import { Pager } from '../../ui/Records.tsx'
import { optionsOf, Select } from '../../ui/form/Select.tsx'
import { ErrorState, Skeleton } from '../../ui/states.tsx'
import { batchContactsQuery, CONTACT_FILTERS, type ContactFilter } from './api.ts'

interface PeopleProps {
  readonly id: string
  readonly onOpenCall: (callId: string) => void
}

/** Everybody on the list, in its order, with what came of each. */
export function BatchPeople({ id, onOpenCall }: PeopleProps) {
  const { run, contactStatuses } = useWords().batches
  const [status, setStatus] = useState<ContactFilter>('all')
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
      <People key={status} id={id} status={status} onOpenCall={onOpenCall} />
    </section>
  )
}

/** A page at a time: what the live line makes old is one page, however long the list is. */
function People({ id, status, onOpenCall }: PeopleProps & { readonly status: ContactFilter }) {
  const { batches, calls } = useWords()
  const { run } = batches
  const people = usePages((cursor) => batchContactsQuery(id, status, cursor))
  if (!people.data)
    return people.isError ? (
      <ErrorState title={run.contactsFailed} retrying={people.isFetching} onRetry={() => void people.refetch()} />
    ) : (
      <Skeleton className="h-64 rounded-base" />
    )
  const { items, total } = people.data
  const shown = people.before + items.length
  return (
    <>
      {items.length === 0 && <p className="text-muted">{run.none}</p>}
      {items.length > 0 && (
        <ul
          aria-busy={people.isPlaceholderData}
          className={classes(
            'divide-y divide-line rounded-base border border-line bg-surface shadow-soft',
            people.isPlaceholderData && 'opacity-60',
          )}
        >
          {items.map((contact) => (
            <PersonLine key={contact.row} contact={contact} onOpenCall={onOpenCall} />
          ))}
        </ul>
      )}
      {(people.previous ?? people.next) && (
        <Pager pages={people} labels={calls.history} className="mt-4">
          {/* Those of one status become fewer while one reads: then no number would be true. */}
          {items.length > 0 && shown <= total && run.showing(count(people.before + 1), count(shown), count(total))}
        </Pager>
      )}
    </>
  )
}

const TONES: Partial<Record<BatchContactStatus, Tone>> = { calling: 'live', completed: 'good', failed: 'bad' }

function PersonLine({ contact, onOpenCall }: Pick<PeopleProps, 'onOpenCall'> & { readonly contact: BatchContact }) {
  const { batches, calls, contacts } = useWords()
  const { run, contactStatuses } = batches
  const {
    name,
    callee,
    callId,
    phone,
    status,
    phase,
    code,
    attempts,
    nextAttemptAt,
    outcomes,
    endReason,
    summary,
    durationSeconds,
  } = contact
  const number = callee ? phoneText(callee).number : phone
  const offers = outcomes.filter((outcome) => outcome.status === 'offered')
  const facts = [
    name && number,
    // Nobody is called yet: a voice node has no place for the call.
    phase === PHASES.waitingForLine && calls.phases.waitingForLine,
    attempts > 1 && run.attempts(attempts),
    durationSeconds ? duration(durationSeconds) : undefined,
    endingLabel({ endReason }),
    tallyOf(outcomes),
    code && (contacts.reasons[code] ?? contacts.otherReason),
  ].filter(Boolean)
  return (
    <li className="px-4 py-3 sm:px-5">
      <div className="flex items-center justify-between gap-3">
        {callId === null ? (
          <p className="tabular min-w-0 truncate font-medium">{name ?? number}</p>
        ) : (
          <button
            type="button"
            aria-label={calls.history.viewCall(name ?? number)}
            className="tabular min-w-0 truncate rounded-sm font-medium underline-offset-4 hover:underline"
            onClick={() => onOpenCall(callId)}
          >
            {name ?? number}
          </button>
        )}
        <Badge tone={TONES[status] ?? 'neutral'} pulse={status === 'calling'}>
          {contactStatuses[status]}
        </Badge>
      </div>
      <p className="tabular text-sm text-muted">
        {facts.join(' · ')}
        {nextAttemptAt && attempts > 0 && status === 'waiting' && (
          <>
            {' · '}
            {run.nextAt(exactTime(nextAttemptAt))}
          </>
        )}
      </p>
      {summary && <p className="mt-1 line-clamp-2 text-sm">{summary}</p>}
      {offers.map(({ objective, offer }) => (
        <p key={objective} className="mt-1 text-sm text-live">
          {objective}: {offer ? calls.outcome.offer(offer) : calls.outcome.states.offered}
        </p>
      ))}
    </li>
  )
}
