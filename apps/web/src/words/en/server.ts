import type { ServerWords } from '../server.ts'

/** Empty in English: the server's own messages are shown. */
export const server: ServerWords | undefined = undefined
