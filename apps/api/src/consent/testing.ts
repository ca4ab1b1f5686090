// What tests of the whole look at, and fill, by themselves.
export { doNotCall, keptDoNotCall, verifiedNumber } from './schema.ts'
