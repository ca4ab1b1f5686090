export { createLocalEar } from './ear.ts'
export { checkLocalEar } from './ear-check.ts'
export { findEspeak } from './espeak.ts'
export { createEspeakMouth } from './mouth.ts'
