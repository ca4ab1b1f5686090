export { findEspeak } from './espeak.ts'
export { createEspeakMouth } from './mouth.ts'
export { createSherpaMouth } from './sherpa-mouth.ts'
