export { english as german } from './en.ts'
