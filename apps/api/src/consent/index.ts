export { audit, AUDIT_KEPT } from './audit.ts'
export { isDialingOn, turnDialing } from './dialing-switch.ts'
export { isZone } from './hours.ts'
export {
  addDoNotCall,
  changePlatformDoNotCall,
  isDoNotCall,
  removeDoNotCall,
  whoMustNotBeCalled,
} from './do-not-call.ts'
export { checkEvidence } from './evidence.ts'
export { dialRulesOf, judgeRow, mayDial, whoIsRefused } from './gate.ts'
export { refuseSecrets, refuseSecretsInRow, refuseSecretText } from './secrets.ts'
export { firstOpeningAt, openingAt } from './openings.ts'
export { keepDoNotCall, returnDoNotCall } from './kept.ts'
export { ruleFiles } from './personal.ts'
export { mustAskToRecord } from './recording.ts'
export { type ConsentRoom, createConsent, registerConsent } from './routes.ts'
export { changeVerified, verifiedAmong, verifiedPhones } from './verified.ts'
export { type Activity, judgeVelocity, limitsOf } from './velocity.ts'
