import { readFile } from 'node:fs/promises'
import { errnoOf } from '../data/filesystem.ts'

/** There is such a process, or its parent has not asked yet how it ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process: alive, although it cannot be signaled.
    return errnoOf(error) === 'EPERM'
  }
}

/** Killed, but still in the table of processes until its parent has asked. */
export async function isDead(pid: number): Promise<boolean> {
  return (await statOf(pid)).startsWith('Z')
}

export async function isRunning(pid: number): Promise<boolean> {
  return pid > 0 && isAlive(pid) && !(await isDead(pid))
}

const STARTED_AT = 19

/**
 * When a process began, in the system's own measure: numbers of processes are used again. Empty where the system does
 * not say.
 */
export async function beginningOf(pid: number): Promise<string> {
  return (await statOf(pid)).split(' ')[STARTED_AT] ?? ''
}

/** Behind the program's name, which may hold anything. */
async function statOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2)
}
