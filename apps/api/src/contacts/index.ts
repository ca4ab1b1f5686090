export { countCall, createContact, e164Of } from './contacts.ts'
export { contactFiles } from './personal.ts'
export { registerContacts } from './routes.ts'
