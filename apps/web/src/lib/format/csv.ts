import { lazyModule } from '../lazyComponent.ts'

// 6.6 kB that few visits need: loaded on demand.
const library = lazyModule(() => import('papaparse'))

/** What a spreadsheet would take for a formula is made inert. */
const FORMULA = /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/

/** RFC 4180. */
export async function csvOf(rows: readonly (readonly (string | number)[])[]): Promise<string> {
  const { default: Papa } = await library()
  const cells = rows.map((row) => row.map(String))
  return `${Papa.unparse(cells, { escapeFormulae: FORMULA })}\r\n`
}
