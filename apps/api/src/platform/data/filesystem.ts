import { open, stat } from 'node:fs/promises'

/** What the system calls an error of files, sockets and processes; empty for any other. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** What may not be looked at is not the same as what is not there. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false
    throw error
  }
}

/** A name given or changed in a folder lasts when the folder itself is on the disk. */
export async function flushFolder(path: string): Promise<void> {
  // Windows opens no folders, and keeps its names without being asked.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
