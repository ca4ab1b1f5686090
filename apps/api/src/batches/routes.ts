import { batchesRoutes as routes } from '@parley/contract'
import { fileOf, idempotencyKeyOf, type Router } from '../platform/http.ts'
import { createBatch } from './create.ts'
import { importFile, mapImport, readImport } from './intake/import.ts'
import { changeBatch, deleteBatch } from './life.ts'
import { findBatch, listBatches, listContacts, readBatch } from './read.ts'
import { sendDropped, sendResults } from './results/results.ts'
import type { BatchesRoom } from './room.ts'
import { missingVariables } from './intake/variables.ts'

/** Up to 100,000 calls are read as a stream, not as one body. */
const create = { ...routes.create, body: undefined, file: true }

export function registerBatches({ route }: Router, room: BatchesRoom): void {
  const { db } = room
  route(create, ({ actor, request }) =>
    createBatch(room, actor.userId, { stream: fileOf(request), key: idempotencyKeyOf(request) }),
  )
  route(routes.import, ({ actor, query, request }) =>
    importFile(room, actor.userId, { ...query, stream: fileOf(request) }),
  )
  route(routes.getImport, ({ actor, params }) => readImport(db, actor.userId, params.id))
  route(routes.mapImport, ({ actor, params, body }) => mapImport(room, actor.userId, params.id, body))
  route(routes.missing, async ({ actor, params }) => missingVariables(db, await findBatch(db, actor.userId, params.id)))
  route(routes.list, ({ actor, query }) => listBatches(db, actor.userId, query))
  route(routes.get, async ({ actor, params, query, reply }) => {
    const { batch, total, nextCursor } = await readBatch(room, actor.userId, params.id, query)
    reply.header('x-total-count', String(total))
    if (nextCursor !== null) reply.header('x-next-cursor', nextCursor)
    return batch
  })
  route(routes.change, ({ actor, params, body }) => changeBatch(room, actor.userId, params.id, body))
  route(routes.remove, async ({ actor, params }) => {
    await deleteBatch(db, actor.userId, params.id)
    return { message: 'The batch was deleted. Its calls stay in the history.' }
  })
  route(routes.contacts, ({ actor, params, query }) => listContacts(db, actor.userId, params.id, query))
  route(routes.results, ({ actor, params, query, reply }) =>
    sendResults(db, reply, { userId: actor.userId, batchId: params.id, format: query.format }),
  )
  route(routes.dropped, ({ actor, params, reply }) => sendDropped(db, reply, actor.userId, params.id))
}
