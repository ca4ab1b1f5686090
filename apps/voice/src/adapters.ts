// What the voice service is made of, for those who put it together in another way: rehearsals, benches, tests of the whole.

export { createApp } from './app.ts'
export { readConfig } from './config.ts'
export { type Context, createContext, type Overrides, type Sandbox } from './context.ts'
export { noJournal } from './journal.ts'
export { createLog } from './log.ts'
export { CallSession } from './session/call/session.ts'
