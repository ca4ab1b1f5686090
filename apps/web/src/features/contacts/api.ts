import { LIST_LIMIT_DEFAULT, type Contact } from '@parley/contract'
import { consentRoutes, contactsRoutes, reportsRoutes } from '@parley/contract/page'
import { useQueryClient } from '@tanstack/react-query'
import { keyOf, read, readGrowing } from '../../lib/server/queries.ts'

export const contactsQuery = (userId: string, q: string, tag: string) =>
  readGrowing(contactsRoutes.list, {
    params: { id: userId },
    query: { limit: LIST_LIMIT_DEFAULT, ...(q && { q }), ...(tag && { tag }) },
  })

export const tagsQuery = (userId: string) => read(contactsRoutes.tags, { params: { id: userId } })

export const duplicatesQuery = (userId: string) => read(contactsRoutes.duplicates, { params: { id: userId } })

export const callsToQuery = (userId: string, { phone }: Contact) =>
  readGrowing(reportsRoutes.calls, { params: { id: userId }, query: { callee: phone, limit: LIST_LIMIT_DEFAULT } })

export const doNotCallQuery = (userId: string, q: string) =>
  readGrowing(consentRoutes.list, { params: { id: userId }, query: { limit: LIST_LIMIT_DEFAULT, ...(q && { q }) } })

/** After a change of contacts: refetches list, tags and duplicates. */
export function useContactsChanged(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [contactsRoutes.list, contactsRoutes.tags, contactsRoutes.duplicates].map((route) =>
        client.invalidateQueries({ queryKey: keyOf(route) }),
      ),
    )
}
