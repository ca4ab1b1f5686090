export { english as spanish } from './en.ts'
