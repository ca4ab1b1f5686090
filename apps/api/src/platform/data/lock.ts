import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf } from './filesystem.ts'
import { beginningOf, isRunning } from '../process/processes.ts'

const LOCK = 'parley.pid'
const ATTEMPTS = 5

interface Owner {
  readonly pid: number
  /** Start time of the process; empty if the system does not report it. */
  readonly began: string
}

/** Locks a data directory for this process. Returns the unlock function; throws if another process has the lock. */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  const lock = join(dataDir, LOCK)
  const mine = `${lock}.${process.pid}`
  const text = `${process.pid} ${await beginningOf(process.pid)}\n`
  await writeFile(mine, text, { mode: 0o644 })
  try {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (await claimed(mine, lock)) {
        return async () => {
          if ((await readFile(lock, 'utf8').catch(() => '')) === text) await rm(lock, { force: true })
        }
      }
      await removeStale(dataDir, lock)
    }
  } finally {
    await rm(mine, { force: true })
  }
  throw new Error(`The lock ${lock} could not be taken: remove this file if no Parley runs on DATA_DIR=${dataDir}.`)
}

/** A hard link is created atomically and fails if it exists. */
async function claimed(mine: string, lock: string): Promise<boolean> {
  try {
    await link(mine, lock)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

async function removeStale(dataDir: string, lock: string): Promise<void> {
  const held = await readFile(lock, 'utf8').catch(() => '')
  const owner = ownerIn(held)
  if (owner !== undefined && (await isRunningStill(owner))) throw inUse(dataDir, owner.pid)
  // Rename is atomic, so one process removes the stale lock; a lock taken meanwhile is put back.
  const aside = `${lock}.${process.pid}.stale`
  await rename(lock, aside).catch(() => undefined)
  if ((await readFile(aside, 'utf8').catch(() => held)) !== held) await rename(aside, lock)
  await rm(aside, { force: true })
}

function ownerIn(text: string): Owner | undefined {
  const [pid, began = ''] = text.trim().split(' ')
  return /^\d+$/.test(pid ?? '') ? { pid: Number(pid), began } : undefined
}

async function isRunningStill({ pid, began }: Owner): Promise<boolean> {
  return pid !== process.pid && (await isRunning(pid)) && (began === '' || began === (await beginningOf(pid)))
}

export function inUse(dataDir: string, pid: number): Error {
  return new Error(
    `Parley runs on the data in ${dataDir} already (process ${pid}). Stop it first, or set DATA_DIR to another folder.`,
  )
}
