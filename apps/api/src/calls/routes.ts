import {
  callerNumbersRoutes,
  callsRoutes,
  joinNode,
  keepRecording,
  nodeHeartbeat,
  reportFacts,
  templatesRoutes,
} from '@parley/contract'
import { idempotencyKeyOf, type Router } from '../platform/http.ts'
import { pageLanguageOf } from '../platform/pages/web.ts'
import type { Sockets } from '../platform/sockets.ts'
import { changeNumber, removeNumber } from './callers/numbers.ts'
import { confirmCode, readNumbers, startVerification } from './callers/verification.ts'
import { changeCall } from './change.ts'
import { forgetDeadNodes, heartbeat, join } from './nodes/registry.ts'
import { serveSound } from './sound.ts'
import { placeCall } from './placing/place.ts'
import { readOrder } from './placing/reading.ts'

import { sendPreview } from './previews.ts'
import { readActiveCalls, readCall } from './read.ts'
import { recordFacts } from './facts.ts'
import { saveRecording, sendRecording } from './recordings.ts'
import { traceFacts } from './traced.ts'
import type { CallsRoom } from './room.ts'
import { fenceShown, refuseStale } from './tokens.ts'
import { deleteTemplate, listTemplates, renameTemplate, saveTemplate } from './templates.ts'

export function registerCalls({ route }: Router, sockets: Sockets, room: CallsRoom): void {
  route(callsRoutes.place, ({ actor, body, request }) => {
    const pageLanguage = actor.via === 'session' ? pageLanguageOf(request) : undefined
    return placeCall(room, actor.userId, body, { key: idempotencyKeyOf(request), pageLanguage })
  })
  route(callsRoutes.get, ({ actor, params }) => readCall(room.db, actor.userId, params.id))
  route(callsRoutes.change, ({ actor, params, body }) => changeCall(room, actor.userId, params.id, body))
  route(callsRoutes.voicePreview, ({ query, reply }) => sendPreview(room, query, reply))
  route(callsRoutes.active, ({ actor }) => readActiveCalls(room.db, actor.userId))
  route(callsRoutes.recording, ({ actor, params, query, request, reply }) => {
    const asked = { userId: actor.userId, callId: params.id, download: query.download !== undefined }
    return sendRecording(room, asked, request, reply)
  })
  route(templatesRoutes.list, ({ actor }) => listTemplates(room.db, actor.userId))
  route(templatesRoutes.save, ({ actor, body }) => saveTemplate(room.db, actor.userId, body))
  route(templatesRoutes.rename, ({ actor, params, body }) =>
    renameTemplate(room.db, actor.userId, params.id, body.name),
  )
  route(templatesRoutes.remove, async ({ actor, params }) => {
    await deleteTemplate(room.db, actor.userId, params.id)
    return { message: 'The template was deleted.' }
  })
  registerCallerNumbers(route, room)
  route(callsRoutes.reading, ({ body }) => readOrder(room, body))
  serveSound(sockets, room)
}

function registerCallerNumbers(route: Router['route'], room: CallsRoom): void {
  route(callerNumbersRoutes.list, ({ actor }) => readNumbers(room, actor.userId))
  route(callerNumbersRoutes.verify, ({ actor, body }) => startVerification(room, actor.userId, body.phone))
  route(callerNumbersRoutes.confirm, ({ actor, body }) => confirmCode(room, actor.userId, body.code))
  route(callerNumbersRoutes.change, ({ actor, params, body }) => changeNumber(room, actor.userId, params.phone, body))
  route(callerNumbersRoutes.remove, async ({ actor, params }) => {
    await removeNumber(room, actor.userId, params.phone)
    return { message: 'The number was removed.' }
  })
}

/** Routes for facts and recordings of the voice service, on the internal listener only. */
export function registerVoiceReports({ route }: Router, room: CallsRoom): void {
  route(keepRecording, async ({ params, request, reply }) => {
    await refuseStale(room.db, params.id, fenceShown(room.config, request))
    await saveRecording(room, params.id, request)
    return reply.code(204).send()
  })
  route(reportFacts, ({ params, body, request }) =>
    traceFacts(room.traces, params.id, body.facts, () =>
      recordFacts(room, params.id, body.facts, fenceShown(room.config, request)),
    ),
  )
}

/** Routes for voice nodes, on the internal listener only. */
export function registerNodes({ route }: Router, room: CallsRoom): void {
  route(joinNode, async ({ body }) => {
    const joined = await join(room.db, body)
    room.log.info({ nodeId: body.nodeId, bootId: body.bootId, capacity: body.capacity }, 'voice node joined')
    await forgetDeadNodes(room.db)
    // Calls of its former process are settled, and waiting ones dialed.
    room.nodes.soon()
    return joined
  })
  route(nodeHeartbeat, async ({ params, body, request }) => {
    const credentials = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const known = await heartbeat(room.db, { ...body, nodeId: params.id, credentials })
    if (known.state === 'leaving') room.nodes.soon()
    return known
  })
}
