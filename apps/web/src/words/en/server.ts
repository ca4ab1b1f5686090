import type { ServerWords } from '../server.ts'

/** The server speaks English itself: its own sentences are shown. */
export const server: ServerWords | undefined = undefined
