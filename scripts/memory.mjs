import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const PREFIX = 'parley-tests-'
/** A run takes up to a third of it; the rest is for the programs themselves. */
const ENOUGH_BYTES = 9 * 1024 ** 3

/**
 * Where there is much memory, the databases of the tests lie in it: half of the time of a journey went into writing
 * them to a disk. TMPDIR, where it is set, is left as it is; else it is set for this process and those that it starts,
 * and what lies there goes when this one ends.
 */
export function scratchInMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return
  try {
    removeLeftOver()
    const { bavail, bsize } = statfsSync(MEMORY)
    if (Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES) return
    const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`))
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
    // PostgreSQL runs as somebody else, who must be let through.
    chmodSync(folder, 0o711)
    process.env.TMPDIR = folder
  } catch {
    // Another user's, or not to be written: then they lie on the disk.
  }
}

/** Of runs that were killed. */
function removeLeftOver() {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX)) continue
    const pid = name.slice(PREFIX.length).split('-')[0] ?? ''
    if (!existsSync(`/proc/${pid}`)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}
