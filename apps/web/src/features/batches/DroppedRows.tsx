import { pathOf, type BatchImport, type ErrorCode } from '@parley/contract'
import { batchesRoutes } from '@parley/contract/page'
import { Download } from 'lucide-react'
import { count } from '../../lib/format/format.ts'
import { apiUrl } from '../../lib/platform/index.ts'
import { useWords } from '../../words/index.ts'

/** The dropped rows with their reasons, and all of them as a file. */
export function DroppedRows({ list }: { readonly list: BatchImport }) {
  const { batches, contacts } = useWords()
  const { file: words } = batches
  const reasonOf = (code: ErrorCode) => contacts.reasons[code] ?? contacts.otherReason
  return (
    <details className="rounded-base border border-line px-4 py-3">
      <summary className="cursor-pointer font-medium">{words.dropped(list.dropped, count(list.dropped))}</summary>
      <ul className="mt-2 grid gap-1 text-sm">
        {Object.entries(list.droppedByCode).map(([code, rows]) => (
          <li key={code}>{words.droppedReason(reasonIn(code, reasonOf), count(rows))}</li>
        ))}
      </ul>
      <ul className="tabular mt-3 grid gap-1 text-sm text-muted">
        {list.droppedFirst.map(({ row, phone, code }) => (
          <li key={row}>{contacts.files.row(row, phone || contacts.files.nameless, reasonOf(code))}</li>
        ))}
      </ul>
      <a
        href={apiUrl(pathOf(batchesRoutes.dropped, { id: list.batchId }))}
        download
        className="link mt-3 inline-flex items-center gap-2 text-sm"
      >
        <Download className="size-4" aria-hidden="true" />
        {words.downloadDropped}
      </a>
    </details>
  )
}

/** The keys are error codes of the contract, which is what the type says. */
function reasonIn(code: string, reasonOf: (code: ErrorCode) => string): string {
  return reasonOf(code as ErrorCode)
}
