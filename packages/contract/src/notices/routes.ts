import { z } from 'zod'
import { Id, IdParams, PageQuery } from '../common-shapes.ts'
import { defineRoute } from '../route.ts'
import { Webhook, WebhookDelivery, WebhookDeliveryDetails } from './shapes.ts'
import { noticesPaths } from '../paths.ts'

const room = 'notices'
const DeliveryParams = IdParams.extend({ deliveryId: Id })

/** A test event is sent by testWebhook of the security routes. */
export const noticesRoutes = {
  webhook: defineRoute({
    ...noticesPaths.webhook,
    room,
    access: 'session',
    summary: 'The webhook address and the secret that its signatures are verified with',
    params: IdParams,
    reply: Webhook,
  }),
  renewSecret: defineRoute({
    ...noticesPaths.renewSecret,
    room,
    access: 'session',
    summary: 'Make a new secret; the old one signs nothing any more',
    params: IdParams,
    reply: Webhook,
    errors: ['conflict'],
  }),
  deliveries: defineRoute({
    ...noticesPaths.deliveries,
    room,
    access: 'session',
    summary: 'What was sent to the webhook, newest first, kept for 30 days',
    params: IdParams,
    query: PageQuery,
    reply: z.array(WebhookDelivery),
    paged: true,
  }),
  delivery: defineRoute({
    ...noticesPaths.delivery,
    room,
    access: 'session',
    summary: 'A delivery with its body and the last answer',
    params: DeliveryParams,
    reply: WebhookDeliveryDetails,
  }),
  replay: defineRoute({
    ...noticesPaths.replay,
    room,
    access: 'session',
    summary: 'Send it again, under the same id, to the address saved now',
    params: DeliveryParams,
    reply: WebhookDelivery,
    errors: ['conflict'],
  }),
} as const
