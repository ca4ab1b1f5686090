import { fileURLToPath } from 'node:url'
import type { ReplayedSql } from '../../platform/database/replay.ts'

/**
 * The rules of the books: functions that move credits in one call, and triggers that refuse whatever would make the
 * books wrong, a function a file with its triggers (docs/decisions/0035). A changed file needs the next version.
 */
export const LEDGER_SQL: ReplayedSql = {
  name: 'ledger',
  folder: fileURLToPath(new URL('sql', import.meta.url)),
  version: 1,
}
