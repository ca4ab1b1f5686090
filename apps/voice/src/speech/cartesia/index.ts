export { checkCartesia } from './check.ts'
export { createCartesiaMouth } from './mouth.ts'
