export { guardedMind, type GuardOptions } from './guard.ts'
