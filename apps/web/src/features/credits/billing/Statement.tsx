import { pathOf, type Movement } from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { Download } from 'lucide-react'
import { classes } from '../../../lib/classes.ts'
import { count, exactDate, exactTime } from '../../../lib/format/format.ts'
import { apiUrl } from '../../../lib/native/native.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { usePages } from '../../../lib/server/usePages.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/states.tsx'
import { statementQuery } from '../api.ts'
import { Pager } from './Pager.tsx'
import { CELL, HEAD, Sheet } from './table.tsx'

/** Where every credit came from and went to. */
export function Statement() {
  const { statement } = useWords().credits
  const { id } = useSignedInUser()
  const pages = usePages((cursor) => statementQuery(id, cursor))
  if (!pages.data)
    return pages.isError ? (
      <ErrorState title={statement.failedTitle} retrying={pages.isFetching} onRetry={() => void pages.refetch()} />
    ) : (
      <LoadingRows />
    )
  const { items, total } = pages.data
  if (items.length === 0) return <EmptyState title={statement.empty} hint={statement.emptyHint} />
  return (
    <>
      <Sheet>
        <table className="tabular w-full border-collapse text-left" aria-busy={pages.isPlaceholderData}>
          <caption className="sr-only">{statement.caption}</caption>
          <thead>
            <tr className={HEAD}>
              <th scope="col" className="max-sm:hidden">
                {statement.columns.date}
              </th>
              <th scope="col" className="max-sm:pl-4">
                {statement.columns.cause}
              </th>
              <th scope="col" className="text-right">
                {statement.columns.credits}
              </th>
              <th scope="col" className="text-right">
                {statement.columns.balance}
              </th>
            </tr>
          </thead>
          <tbody>
            {items.map((movement) => (
              <Row key={movement.id} movement={movement} />
            ))}
          </tbody>
        </table>
        <Pager before={pages.before} shown={items.length} total={total} newer={pages.previous} older={pages.next} />
      </Sheet>
      <ButtonLink variant="secondary" size="small" className="mt-4">
        <a href={apiUrl(pathOf(creditsRoutes.statementFile, { id }))} download>
          <Download className="size-4" aria-hidden="true" />
          {statement.download}
        </a>
      </ButtonLink>
    </>
  )
}

function Row({ movement: { kind, cause, credits, balance, at } }: { readonly movement: Movement }) {
  const day = (
    <time dateTime={at} title={exactTime(at)}>
      {exactDate(at)}
    </time>
  )
  return (
    <tr>
      <td className={`${CELL} whitespace-nowrap text-muted max-sm:hidden`}>{day}</td>
      <td className={`${CELL} max-sm:pl-4`}>
        {saidByServer(cause, ({ movements }) => movements[kind])}
        <span className="block text-sm text-muted sm:hidden">{day}</span>
      </td>
      <td className={classes(CELL, 'text-right font-medium', credits > 0 && 'text-brand')}>
        {credits > 0 ? '+' : credits < 0 ? '−' : ''}
        {count(Math.abs(credits))}
      </td>
      <td className={`${CELL} text-right`}>{count(balance)}</td>
    </tr>
  )
}
