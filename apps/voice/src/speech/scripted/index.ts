export { createScriptedEar } from './ear.ts'
export { findEspeak } from './espeak.ts'
export { createScriptedMouth } from './mouth.ts'
