import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { errnoOf, flushFolder } from './filesystem.ts'

// A marker of a restored database, until a start has paused its batches and ended its calls.

const Restored = z.object({ backup: z.string(), takenAt: z.iso.datetime() })
type Restored = z.infer<typeof Restored>

const markIn = (home: string) => join(home, 'restored.json')

/** `home`: the folder of the embedded PostgreSQL, so that the marker moves with the data. */
export async function markRestored(home: string, restored: Restored): Promise<void> {
  await writeFile(markIn(home), JSON.stringify(restored), { mode: 0o600, flush: true })
}

/** An unreadable marker still counts as present ({}). */
export async function readRestored(home: string): Promise<Partial<Restored> | undefined> {
  try {
    return Restored.parse(JSON.parse(await readFile(markIn(home), 'utf8')))
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR' ? undefined : {}
  }
}

export async function forgetRestored(home: string): Promise<void> {
  await rm(markIn(home), { force: true })
  await flushFolder(home)
}
