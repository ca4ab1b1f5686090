export { turnDialing } from './dialing-switch.ts'
export { addDoNotCall, isDoNotCall, removeDoNotCall } from './do-not-call.ts'
export { mayDial } from './gate.ts'
export { type Activity, judgeVelocity } from './velocity.ts'
