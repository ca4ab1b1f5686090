import { contactsRoutes } from '@parley/contract'
import type { Db } from '../platform/db.ts'
import { fileOf, type Router } from '../platform/http.ts'
import { changeContact, createContact, deleteContact, listContacts, listTags } from './contacts.ts'
import { contactsCsv, contactsVcf } from './files.ts'
import { allContacts, importContacts, listDuplicates, mergeContacts } from './merging.ts'

export function registerContacts({ route }: Router, db: Db): void {
  route(contactsRoutes.list, ({ actor, query }) => listContacts(db, actor.userId, query))
  route(contactsRoutes.create, ({ actor, body }) => createContact(db, actor.userId, body))
  route(contactsRoutes.change, ({ actor, params, body }) => changeContact(db, actor.userId, params.id, body))
  route(contactsRoutes.remove, async ({ actor, params }) => {
    await deleteContact(db, actor.userId, params.id)
    return { message: 'The contact was deleted.' }
  })
  route(contactsRoutes.tags, ({ actor }) => listTags(db, actor.userId))
  route(contactsRoutes.import, ({ actor, query, request }) =>
    importContacts(db, actor.userId, fileOf(request), query.fileName),
  )
  route(contactsRoutes.export, async ({ actor, query, reply }) => {
    const contacts = await allContacts(db, actor.userId)
    const [type, text] =
      query.format === 'csv' ? ['text/csv', contactsCsv(contacts)] : ['text/vcard', contactsVcf(contacts)]
    const disposition = `attachment; filename="contacts.${query.format}"`
    return reply.type(`${type}; charset=utf-8`).header('content-disposition', disposition).send(text)
  })
  route(contactsRoutes.duplicates, ({ actor }) => listDuplicates(db, actor.userId))
  route(contactsRoutes.merge, async ({ actor, body }) => ({
    removed: await mergeContacts(db, actor.userId, body.phone),
  }))
}
