export { createTwilioCarrier, type TwilioCarrier } from './carrier.ts'
export { checkTwilio, type TwilioCheckOptions } from './check.ts'
export { explainTwilioCode } from './explain.ts'
export type { TwilioOptions } from './options.ts'
