export { checkElevenLabs } from './check.ts'
export { createElevenLabsMouth } from './mouth.ts'
