// The pieces of the voice service, for rehearsals, benches and tests that assemble it themselves.

export { createApp } from './app.ts'
export { readConfig } from './config.ts'
export { type Context, createContext, type Overrides, type Sandbox } from './context.ts'
export { noJournal } from './journal.ts'
export { createLog } from './log.ts'
export { hedgedMind } from './minds/hedged.ts'
export { CallSession } from './session/call/session.ts'
export { unitPrices } from './prices.ts'
export { guarded, thinkingOf } from './thinking.ts'
