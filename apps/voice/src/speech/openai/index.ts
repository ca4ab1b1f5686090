export { createOpenaiEar } from './ear.ts'
export { checkOpenaiEar } from './ear-check.ts'
