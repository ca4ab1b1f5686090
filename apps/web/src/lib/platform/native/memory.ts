import type { Memory } from '../port.ts'

const PREFIX = 'parley.visit.'

/** Survives the end of the app's process, and is cleared with the session. */
export const visitMemory: Memory & { clear(): void } = {
  getItem: (name) => localStorage.getItem(PREFIX + name),
  setItem: (name, value) => localStorage.setItem(PREFIX + name, value),
  removeItem: (name) => localStorage.removeItem(PREFIX + name),
  clear() {
    for (const name of Object.keys(localStorage)) if (name.startsWith(PREFIX)) localStorage.removeItem(name)
  },
}
