import type { ReactNode } from 'react'
import { classes } from '../lib/classes.ts'

export interface Column<Row> {
  /** Stands in the head; no two columns of a table have the same. */
  readonly name: string
  /** For screen readers only, where the cells say for themselves what they are. */
  readonly isNameHidden?: boolean
  readonly cell: (row: Row) => ReactNode
  /** Below all rows: a sum. */
  readonly foot?: ReactNode
  /** What a row is called by: its cells are read before the row's others. */
  readonly isRowHead?: boolean
  /** Numbers stand at the right, under their name. */
  readonly align?: 'right'
  /** Of head, cells and foot alike: a width, or where there is no room for the column. */
  readonly className?: string
  /** Of the cells alone. */
  readonly cellClassName?: string
}

/** On a sheet, rows reach from edge to edge; within a card they end where its text does. */
const LOOKS = {
  sheet: { table: '', head: '', cell: 'px-2 py-3 first:pl-4 last:pr-4 sm:px-2.5 sm:first:pl-5 sm:last:pr-5' },
  card: { table: 'text-sm', head: 'sticky top-0 bg-surface', cell: 'py-2 pr-4' },
} as const

interface TableProps<Row> {
  /** What it is called: read, not seen. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  readonly look?: keyof typeof LOOKS
  /** Columns are as wide as they say, whatever stands in them; without a width they share what is left. */
  readonly isFixed?: boolean
}

/** The one table: its columns say what stands in them, in head, rows and foot. */
export function Table<Row>({ caption, columns, rows, rowKey, look = 'sheet', isFixed = false }: TableProps<Row>) {
  const { table, cell, head } = LOOKS[look]
  const at = ({ align, className }: Column<Row>, ...more: readonly (string | false | undefined)[]) =>
    classes(cell, align === 'right' && 'text-right', className, ...more)
  return (
    <table className={classes('tabular w-full border-collapse text-left', isFixed && 'table-fixed', table)}>
      <caption className="sr-only">{caption}</caption>
      <thead className={head}>
        <tr className="text-sm text-muted">
          {columns.map((column) => (
            <th key={column.name} scope="col" className={at(column, 'font-medium')}>
              {column.isNameHidden ? <span className="sr-only">{column.name}</span> : column.name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={rowKey(row)} className="border-t border-line">
            {columns.map((column) => (
              <Cell
                key={column.name}
                isHead={column.isRowHead}
                className={at(column, column.isRowHead && 'font-normal', column.cellClassName)}
              >
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
      </tbody>
      {columns.some(({ foot }) => foot !== undefined) && (
        <tfoot>
          <tr className="border-t border-line">
            {columns.map((column) => (
              <Cell key={column.name} isHead={column.isRowHead} className={at(column, 'font-semibold')}>
                {column.foot}
              </Cell>
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  )
}

interface CellProps {
  readonly isHead: boolean | undefined
  readonly className: string
  readonly children: ReactNode
}

function Cell({ isHead = false, ...rest }: CellProps) {
  return isHead ? <th scope="row" {...rest} /> : <td {...rest} />
}
