import { pathOf, type Movement } from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { Download } from 'lucide-react'
import { count, exactDate, exactTime } from '../../../lib/format/format.ts'
import { apiUrl } from '../../../lib/platform/index.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { usePages } from '../../../lib/server/usePages.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Records, RecordSheet } from '../../../ui/Records.tsx'
import { EmptyState } from '../../../ui/states.tsx'
import { Table } from '../../../ui/Table.tsx'
import { statementQuery } from '../api.ts'
import { Pager } from './Pager.tsx'

/** Where every credit came from and went to. */
export function Statement() {
  const { statement } = useWords().credits
  const { id } = useSignedInUser()
  const pages = usePages((cursor) => statementQuery(id, cursor))
  return (
    <Records
      query={pages}
      failedTitle={statement.failedTitle}
      isEmpty={({ items }) => items.length === 0}
      empty={<EmptyState title={statement.empty} hint={statement.emptyHint} />}
    >
      {({ items, total }) => (
        <>
          <RecordSheet
            isBusy={pages.isPlaceholderData}
            foot={<Pager pages={pages} shown={items.length} total={total} />}
          >
            <Movements movements={items} />
          </RecordSheet>
          <ButtonLink variant="secondary" size="small" className="mt-4">
            <a href={apiUrl(pathOf(creditsRoutes.statementFile, { id }))} download>
              <Download className="size-4" aria-hidden="true" />
              {statement.download}
            </a>
          </ButtonLink>
        </>
      )}
    </Records>
  )
}

function Movements({ movements }: { readonly movements: readonly Movement[] }) {
  const { statement } = useWords().credits
  const { columns } = statement
  return (
    <Table
      caption={statement.caption}
      rows={movements}
      rowKey={({ id }) => id}
      columns={[
        {
          name: columns.date,
          cell: ({ at }) => <Day at={at} />,
          className: 'max-sm:hidden',
          cellClassName: 'whitespace-nowrap text-muted',
        },
        {
          name: columns.cause,
          cell: ({ cause, kind, at }) => (
            <>
              {saidByServer(cause, ({ movements: kinds }) => kinds[kind])}
              <span className="block text-sm text-muted sm:hidden">
                <Day at={at} />
              </span>
            </>
          ),
          // On a phone it is the first that is seen.
          className: 'max-sm:pl-4',
        },
        {
          name: columns.credits,
          cell: ({ credits }) => (
            <span className={credits > 0 ? 'text-brand' : undefined}>
              {credits > 0 ? '+' : credits < 0 ? '−' : ''}
              {count(Math.abs(credits))}
            </span>
          ),
          align: 'right',
          cellClassName: 'font-medium',
        },
        { name: columns.balance, cell: ({ balance }) => count(balance), align: 'right' },
      ]}
    />
  )
}

function Day({ at }: Pick<Movement, 'at'>) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {exactDate(at)}
    </time>
  )
}
