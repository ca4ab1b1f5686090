import { pathOf, type Payment } from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { FileText } from 'lucide-react'
import { dollars, exactDate, exactTime } from '../../../lib/format/format.ts'
import { apiUrl } from '../../../lib/platform/index.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { usePages } from '../../../lib/server/usePages.ts'
import { useWords } from '../../../words/index.ts'
import { Badge, type Tone } from '../../../ui/Badge.tsx'
import { Records, RecordSheet } from '../../../ui/Records.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { paymentsQuery } from '../api.ts'
import { packageOf } from '../packages.ts'
import { Pager } from './Pager.tsx'

/** What was bought, how the payment stands, and its receipt. */
export function Purchases() {
  const { purchases } = useWords().credits
  const { id } = useSignedInUser()
  const pages = usePages((cursor) => paymentsQuery(id, cursor))
  return (
    <Records
      query={pages}
      failedTitle={purchases.failedTitle}
      isEmpty={({ items }) => items.length === 0}
      empty={<EmptyState title={purchases.empty} hint={purchases.emptyHint} />}
    >
      {({ items, total }) => (
        <RecordSheet isBusy={pages.isPlaceholderData} foot={<Pager pages={pages} shown={items.length} total={total} />}>
          <ul aria-label={purchases.caption}>
            {items.map((payment) => (
              <Purchase key={payment.id} payment={payment} />
            ))}
          </ul>
        </RecordSheet>
      )}
    </Records>
  )
}

function Purchase({ payment }: { readonly payment: Payment }) {
  const { packages, purchases } = useWords().credits
  const { name } = packageOf(payment.packageId)
  const date = exactDate(payment.createdAt)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3.5 first:border-t-0 sm:px-5">
      <div className="min-w-40 flex-1">
        <p className="font-medium">{name}</p>
        <p className="tabular text-sm text-muted">
          <time dateTime={payment.createdAt} title={exactTime(payment.createdAt)}>
            {date}
          </time>
          {` · ${packages.credits(String(payment.credits))}`}
          {payment.automatic && ` · ${purchases.automatic}`}
        </p>
      </div>
      <p className="tabular font-medium">{dollars(payment.amountCents / 100)}</p>
      <Standing payment={payment} />
      <p className="w-24 text-right">
        {payment.paidAt && (
          <a
            href={apiUrl(pathOf(creditsRoutes.receipt, { id: payment.id }))}
            download
            aria-label={purchases.receiptOf(name, date)}
            className="link inline-flex min-h-6 items-center gap-1.5 text-sm"
          >
            <FileText className="size-4" aria-hidden="true" />
            {purchases.receipt}
          </a>
        )}
      </p>
    </li>
  )
}

const TONES: Readonly<Record<Payment['status'], Tone>> = {
  processing: 'live',
  succeeded: 'good',
  failed: 'bad',
  canceled: 'neutral',
}

function Standing({ payment: { status, refundedCents, amountCents, disputed } }: { readonly payment: Payment }) {
  const { purchases } = useWords().credits
  if (disputed) return <Badge tone="bad">{purchases.disputed}</Badge>
  if (refundedCents >= amountCents) return <Badge>{purchases.refunded}</Badge>
  if (refundedCents > 0) return <Badge>{purchases.partlyRefunded(dollars(refundedCents / 100))}</Badge>
  return <Badge tone={TONES[status]}>{purchases.statuses[status]}</Badge>
}
