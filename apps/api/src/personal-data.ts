import type { ExportFiles } from './accounts/index.ts'
import { batchFiles } from './batches/index.ts'
import { callFiles, recordingFiles } from './calls/index.ts'
import { ruleFiles } from './consent/index.ts'
import { contactFiles } from './contacts/index.ts'
import { moneyFiles } from './credits/index.ts'
import { noticeFiles } from './notices/index.ts'
import type { Db } from './platform/db.ts'
import type { FileStore } from './platform/files.ts'

/**
 * Everything that the rooms after accounts keep about a person, as files of their export. What a room adds to its
 * schema belongs into its personal.ts.
 */
export async function personalFiles(
  room: { readonly db: Db; readonly files: FileStore },
  userId: string,
): Promise<ExportFiles> {
  const { db } = room
  const lists = [
    ...contactFiles(db, userId),
    ...callFiles(db, userId),
    ...batchFiles(db, userId),
    ...ruleFiles(db, userId),
    ...noticeFiles(db, userId),
    ...moneyFiles(db, userId),
  ]
  const recordings = await recordingFiles(room, userId)
  const files = async function* () {
    yield* lists
    yield* recordings.files
  }
  return { count: lists.length + recordings.count, files: files() }
}
