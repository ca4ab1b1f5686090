export { countCall, createContact } from './contacts.ts'
export { registerContacts } from './routes.ts'
