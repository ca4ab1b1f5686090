import { platform } from './platform/index.ts'

/** Gives the user a text as a file: a download, or the share sheet. Rejects when the file cannot be made. */
export function saveText(name: string, text: string): Promise<void> {
  return platform().saveText(name, text)
}
