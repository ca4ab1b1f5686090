export { turnDialing } from './dialing-switch.ts'
export { addDoNotCall, isDoNotCall, removeDoNotCall } from './do-not-call.ts'
export { type DialRules, mayDial } from './gate.ts'
export { type Activity, judgeVelocity, type VelocityLimits } from './velocity.ts'
