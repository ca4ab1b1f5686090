import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errnoOf } from './filesystem.ts'

/** With less free space PostgreSQL may stop during calls, and recordings may be lost. */
export const DISK_FULL_BYTES = 200 * 1024 ** 2
/** With less free space an operator is warned. */
export const DISK_LOW_BYTES = 500 * 1024 ** 2
const FRESH_MS = 2000
/** A network disk may hang. */
const ANSWER_MS = 1000

type DiskState = 'ok' | 'low' | 'full'

/** The disk of the data directory. */
export interface Disk {
  state(): Promise<DiskState>
}

/** `freeBytes` can be replaced in tests. */
export function createDisk(path: string, freeBytes: (path: string) => Promise<number> = freeBytesOf): Disk {
  let asked: { readonly at: number; readonly answer: Promise<number> } | undefined
  return {
    async state() {
      const now = performance.now()
      if (asked === undefined || now - asked.at > FRESH_MS) asked = { at: now, answer: soon(freeBytes(path)) }
      const bytes = await asked.answer
      if (bytes < DISK_FULL_BYTES) return 'full'
      return bytes < DISK_LOW_BYTES ? 'low' : 'ok'
    },
  }
}

/** A timeout counts as enough space. */
function soon(answer: Promise<number>): Promise<number> {
  const late = new Promise<number>((resolve) => void setTimeout(resolve, ANSWER_MS, Infinity).unref())
  return Promise.race([answer, late])
}

/** Free bytes of the disk of a path, existing or not; Infinity if unknown. */
export async function freeBytesOf(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' && dirname(path) !== path) return freeBytesOf(dirname(path))
    return Infinity
  }
}
