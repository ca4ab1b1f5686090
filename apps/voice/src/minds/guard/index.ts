export { guardedMind } from './guard.ts'
