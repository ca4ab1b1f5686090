import { fileURLToPath } from 'node:url'
import type { ReplayedSql } from '../../platform/database/replay.ts'

/**
 * The ledger's rules: functions that move credits in one call, and triggers that refuse everybody else, one file each (docs/decisions/0035). After a change of a file, increase the version.
 */
export const LEDGER_SQL: ReplayedSql = {
  name: 'ledger',
  folder: fileURLToPath(new URL('sql', import.meta.url)),
  version: 5,
}
