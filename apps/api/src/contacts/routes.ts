import { contactsRoutes } from '@parley/contract'
import type { Floor } from '../floor.ts'
import type { Router } from '../platform/http.ts'
import { changeContact, createContact, deleteContact, listContacts } from './contacts.ts'

export function registerContacts({ route }: Router, { db }: Floor): void {
  route(contactsRoutes.list, ({ actor, query }) => listContacts(db, actor.userId, query))
  route(contactsRoutes.create, ({ actor, body }) => createContact(db, actor.userId, body))
  route(contactsRoutes.change, ({ actor, params, body }) => changeContact(db, actor.userId, params.id, body))
  route(contactsRoutes.remove, async ({ actor, params }) => {
    await deleteContact(db, actor.userId, params.id)
    return { message: 'The contact was deleted.' }
  })
}
