import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** A run takes up to a third of it; the rest is for the programs themselves. */
const ENOUGH_BYTES = 9 * 1024 ** 3

/**
 * Where there is much memory, the databases of the tests lie in it: half of the time of a journey went into writing
 * them to a disk. TMPDIR, where it is set, is left as it is. Returns what the tests' environment has more, and what
 * removes it.
 * @returns {{ environment: Record<string, string>, remove: () => void }}
 */
export function scratchInMemory() {
  const none = { environment: {}, remove: () => undefined }
  if (process.env.TMPDIR || !existsSync(MEMORY)) return none
  const { bavail, bsize } = statfsSync(MEMORY)
  if (Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES) return none
  try {
    const folder = mkdtempSync(join(MEMORY, 'parley-'))
    // PostgreSQL runs as somebody else, who must be let through.
    chmodSync(folder, 0o711)
    return { environment: { TMPDIR: folder }, remove: () => rmSync(folder, { recursive: true, force: true }) }
  } catch {
    return none
  }
}
