import { open, stat } from 'node:fs/promises'

/** The system's error code, such as ENOENT; empty for any other error. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Throws if access is denied, unlike a missing file. */
export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return false
    throw error
  }
}

/** fsync of a folder, which makes created and renamed names durable. */
export async function flushFolder(path: string): Promise<void> {
  // Windows cannot open folders; its file system journals names.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
