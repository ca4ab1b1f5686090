export { exampleCall, landing } from './landing.ts'
export { shell, titles } from './shell.ts'
