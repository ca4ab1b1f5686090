import { confirmationsRoutes as routes } from '@parley/contract'
import type { Router } from '../../platform/http.ts'
import { cancelEmailChange, resendEmailChange, stopEmailChange } from '../sign-in/email-change.ts'
import { readUser } from '../profile.ts'
import type { AccountsRoom } from '../room.ts'
import { mailStepUpCode, readStepUp, stepUp } from './step-up.ts'

export function addConfirmations({ route }: Router, room: AccountsRoom): void {
  route(routes.readStepUp, ({ actor }) => readStepUp(room.db, actor))
  route(routes.stepUp, ({ actor, body, request, reply }) => stepUp(room, actor, body, request, reply))
  route(routes.mailStepUpCode, async ({ actor }) => {
    await mailStepUpCode(room, actor)
    return { message: 'A code is on its way. Please check your email.' }
  })
  route(routes.resendEmailChange, async ({ actor, request }) => {
    await resendEmailChange(room, actor, request)
    return readUser(room, actor.userId)
  })
  route(routes.cancelEmailChange, async ({ actor, request }) => {
    await cancelEmailChange(room.db, actor, request)
    return readUser(room, actor.userId)
  })
  route(routes.stopEmailChange, async ({ body, request }) => {
    await stopEmailChange(room, body, request)
    return { message: body.endSessions ? STOPPED_AND_ENDED : 'The change was stopped. Your address stays as it is.' }
  })
}

const STOPPED_AND_ENDED =
  'The change was stopped, and everybody was logged out. We mailed you a link to choose a new password.'
