import { platform } from './platform/index.ts'

/** Gives the user a text as a file: a download, or the share sheet. */
export function saveText(name: string, text: string): void {
  void platform().saveText(name, text)
}
