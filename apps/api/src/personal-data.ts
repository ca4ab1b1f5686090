import type { ExportFile } from './accounts/index.ts'
import { batchFiles } from './batches/index.ts'
import { callFiles } from './calls/index.ts'
import { ruleFiles } from './consent/index.ts'
import { contactFiles } from './contacts/index.ts'
import { moneyFiles } from './credits/index.ts'
import { noticeFiles } from './notices/index.ts'
import type { Reader } from './platform/db.ts'

/**
 * Everything that the rooms after accounts keep about a person, as files of their export. What a room adds to its
 * schema belongs into its personal.ts.
 */
export function personalFiles(reader: Reader, userId: string): readonly ExportFile[] {
  return [
    ...contactFiles(reader, userId),
    ...callFiles(reader, userId),
    ...batchFiles(reader, userId),
    ...ruleFiles(reader, userId),
    ...noticeFiles(reader, userId),
    ...moneyFiles(reader, userId),
  ]
}
