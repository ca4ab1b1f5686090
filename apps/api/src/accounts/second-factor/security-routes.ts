import { creditsRoutes, securityRoutes } from '@parley/contract'
import type { Router } from '../../platform/http.ts'
import { createKey, listKeys, revokeKey } from '../keys/api-keys.ts'
import { listEvents } from '../events.ts'
import { listExports, openExport, requestExport } from '../data/export.ts'
import { receiveInquiry } from '../inquiries.ts'
import {
  addPasskey,
  checkPasskey,
  listPasskeys,
  passkeyOptions,
  passkeySignInOptions,
  removePasskey,
} from './passkeys.ts'
import { readUser } from '../profile.ts'
import type { AccountsRoom } from '../room.ts'
import {
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  setUpSecondFactor,
} from './second-factor.ts'
import { endOtherSessions, endSession, listSessions } from '../sign-in/sessions.ts'
import { startSession } from '../sign-in/sign-in.ts'

export function addSecurity(router: Router, room: AccountsRoom): void {
  addSessions(router, room)
  addKeys(router, room)
  addSecondFactor(router, room)
  addPasskeys(router, room)
  addExports(router, room)
  router.route(creditsRoutes.enterprise, async ({ body }) => {
    await receiveInquiry(room, body)
    return { message: 'Thank you. We will answer within 24 hours.' }
  })
}

function addSessions({ route }: Router, room: AccountsRoom): void {
  const { db } = room
  route(securityRoutes.sessions, ({ actor }) => listSessions(db, actor))
  route(securityRoutes.endSession, async ({ actor, params, request }) => {
    await endSession(room, actor, params.sessionId, request)
    return { message: 'The session was ended.' }
  })
  route(securityRoutes.endOtherSessions, async ({ actor, request }) => {
    const ended = await endOtherSessions(room, actor, request)
    return { message: ended === 0 ? 'There is no other session.' : 'All other sessions were ended.' }
  })
  route(securityRoutes.securityActivity, ({ actor, query }) => listEvents(db, actor.userId, query))
}

function addKeys({ route }: Router, room: AccountsRoom): void {
  route(securityRoutes.apiKeys, ({ actor }) => listKeys(room.db, actor.userId))
  route(securityRoutes.createApiKey, ({ actor, body, request }) => createKey(room.db, actor, body, request))
  route(securityRoutes.revokeApiKey, async ({ actor, params, request }) => {
    await revokeKey(room.db, actor.userId, params.keyId, request)
    return { message: 'The API key was revoked.' }
  })
}

function addSecondFactor({ route }: Router, room: AccountsRoom): void {
  route(securityRoutes.secondFactor, ({ actor }) => readSecondFactor(room.db, actor.userId))
  route(securityRoutes.setUpSecondFactor, ({ actor }) => setUpSecondFactor(room, actor))
  route(securityRoutes.confirmSecondFactor, async ({ actor, body, request }) => {
    return { recoveryCodes: await confirmSecondFactor(room, actor, body.code, request) }
  })
  route(securityRoutes.renewRecoveryCodes, async ({ actor, body, request }) => {
    return { recoveryCodes: await renewRecoveryCodes(room, actor.userId, body.code, request) }
  })
  route(securityRoutes.disableSecondFactor, ({ actor, body, request }) =>
    disableSecondFactor(room, actor.userId, body.code, request),
  )
}

function addPasskeys({ route }: Router, room: AccountsRoom): void {
  route(securityRoutes.passkeySignInOptions, ({ reply }) => passkeySignInOptions(room.config, reply))
  route(securityRoutes.passkeySignIn, async ({ body, request, reply }) => {
    const userId = await checkPasskey(room, body.response, request, reply)
    await startSession(room, request, reply, { userId, method: 'Passkey' })
    return { message: 'You are logged in.', user: await readUser(room, userId) }
  })
  route(securityRoutes.passkeys, ({ actor }) => listPasskeys(room.db, actor.userId))
  route(securityRoutes.passkeyOptions, ({ actor, reply }) => passkeyOptions(room, actor, reply))
  route(securityRoutes.addPasskey, ({ actor, body, request, reply }) => addPasskey(room, actor, body, request, reply))
  route(securityRoutes.removePasskey, async ({ actor, params, request }) => {
    await removePasskey(room.db, actor.userId, params.passkeyId, request)
    return { message: 'The passkey was removed.' }
  })
}

function addExports({ route }: Router, room: AccountsRoom): void {
  route(securityRoutes.requestExport, ({ actor, request }) => requestExport(room, actor.userId, request))
  route(securityRoutes.exports, ({ actor }) => listExports(room.db, actor.userId))
  route(securityRoutes.downloadExport, async ({ actor, params, request, reply }) => {
    const zip = await openExport(room.db, actor.userId, params.exportId, request)
    return reply
      .type('application/zip')
      .header('content-disposition', 'attachment; filename="parley-export.zip"')
      .send(zip)
  })
}
