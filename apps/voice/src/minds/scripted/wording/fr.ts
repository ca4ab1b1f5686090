export { english as french } from './en.ts'
