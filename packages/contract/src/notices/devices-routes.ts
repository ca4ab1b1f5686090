import { Device, NewDevice } from './devices-shapes.ts'
import { IdParams, MessageReply } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { devicesPaths } from '../paths.ts'

const room = 'notices'

/** Phones that get notifications: each belongs to the session that added it and leaves with it. */
export const devicesRoutes = {
  add: defineRoute({
    ...devicesPaths.add,
    room,
    access: 'session',
    summary: 'Send notifications to this phone; the same token again changes its language',
    body: NewDevice,
    reply: Device,
    status: 201,
  }),
  remove: defineRoute({
    ...devicesPaths.remove,
    room,
    access: 'session',
    summary: 'Send no more notifications to a phone',
    params: IdParams,
    reply: MessageReply,
  }),
} as const
