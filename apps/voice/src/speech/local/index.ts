export { findEspeak } from './espeak.ts'
export { createEspeakMouth } from './mouth.ts'
