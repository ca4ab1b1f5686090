export { checkDeepgramEar } from './check.ts'
export { createDeepgramEar } from './ear.ts'
