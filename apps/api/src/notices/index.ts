export { registerLive } from './live.ts'
