export { countCall, createContact, e164Of } from './contacts.ts'
export { registerContacts } from './routes.ts'
