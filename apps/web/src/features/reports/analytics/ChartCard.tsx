import { useMutation } from '@tanstack/react-query'
import { Download, Table as TableIcon, ChartColumn } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { csvOf } from '../../../lib/format/csv.ts'
import { saveText } from '../../../lib/files.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Scroller } from '../../../ui/Scroller.tsx'
import { Table } from '../../../ui/Table.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import type { Table as Numbers } from './tables.ts'

interface ChartCardProps {
  readonly title: string
  readonly lead: ReactNode
  readonly table: Numbers
  readonly fileName: string
  readonly className?: string
  /** The picture: for the eye alone, the table says the same. */
  readonly children: ReactNode
}

/** A picture with the table that is behind it: shown on request, always there for screen readers, and as a file. */
export function ChartCard({ title, lead, table, fileName, className, children }: ChartCardProps) {
  const { common, reports } = useWords()
  const { analytics } = reports
  const [asTable, setAsTable] = useState(false)
  const id = useId()
  const download = useMutation({
    // The CSV library may still have to be loaded, which waits for the network by itself.
    networkMode: 'always',
    mutationFn: async () => saveText(`${fileName}.csv`, await csvOf(table)),
    onError: () => toast({ tone: 'error', title: common.loadFailed, description: common.loadFailedHint }),
  })
  const Icon = asTable ? ChartColumn : TableIcon
  return (
    <Card aria-labelledby={id} className={className}>
      <div className="mb-4 flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-semibold">
            {title}
          </h2>
          <p className="text-sm text-muted">{lead}</p>
        </div>
        <div className="-mt-1 -mr-2 flex shrink-0">
          <Button
            variant="quiet"
            size="icon"
            aria-label={asTable ? analytics.chartOf(title) : analytics.tableOf(title)}
            title={asTable ? analytics.showChart : analytics.showTable}
            onClick={() => setAsTable(!asTable)}
          >
            <Icon className="size-5" aria-hidden="true" />
          </Button>
          <Button
            variant="quiet"
            size="icon"
            aria-label={analytics.downloadOf(title)}
            title={analytics.download}
            onClick={() => !download.isPending && download.mutate()}
          >
            <Download className="size-5" aria-hidden="true" />
          </Button>
        </div>
      </div>
      {asTable ? (
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the card is the landmark of this name already
        <Scroller role="group" aria-label={title} className="h-64 overflow-auto">
          <Rows title={title} table={table} />
        </Scroller>
      ) : (
        <>
          <div aria-hidden="true" className="h-64">
            {children}
          </div>
          <div className="sr-only">
            <Rows title={title} table={table} />
          </div>
        </>
      )}
    </Card>
  )
}

function Rows({ title, table }: { readonly title: string; readonly table: Numbers }) {
  const [head = [], ...rows] = table
  return (
    <Table
      look="card"
      caption={title}
      rows={rows}
      rowKey={(cells) => cells.join(' ')}
      columns={head.map((name, place) => ({
        name: String(name),
        cell: (cells: Numbers[number]) => cells[place],
        ...(place > 0 && { align: 'right' }),
      }))}
    />
  )
}
