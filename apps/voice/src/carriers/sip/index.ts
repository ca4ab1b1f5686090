// The SIP carrier: calls over trunks of any provider, with a user agent and sound of its own.

export { SipCarrier } from './carrier.ts'
export { checkTrunk } from './check.ts'
export { readTrunks } from './trunks.ts'
