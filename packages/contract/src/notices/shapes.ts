import { User } from '../accounts/shapes.ts'
import { BatchContacts, BatchCounts, BatchOverview, BatchStatus } from '../batches/shapes.ts'
import { Call, CallQuestion, Outcome, Turn } from '../calls/shapes.ts'
import { Id, Instant } from '../common-shapes.ts'
import { WEBHOOK_EVENTS } from './notices.ts'
import { z } from 'zod'

/** Messages of the server on /ws. A turn can come repeatedly under one index: the last one counts. */
export const LiveMessage = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('connected'), userId: Id }),
    z.object({ type: z.literal('call_status'), call: Call }),
    z.object({ type: z.literal('transcript'), callId: Id, turn: Turn }),
    z.object({ type: z.literal('call_question'), callId: Id, event: CallQuestion }),
    z.object({ type: z.literal('call_completed'), callId: Id }),
    z.object({ type: z.literal('credits'), creditBalance: z.string() }),
    z.object({ type: z.literal('credits_low'), creditBalance: z.string() }),
    z.object({
      type: z.literal('batch_progress'),
      batchId: Id,
      status: BatchStatus,
      counts: BatchCounts,
      contacts: BatchContacts,
    }),
    z.object({
      type: z.literal('incoming_call'),
      callId: Id,
      callee: z.string().describe('The number that rings, E.164'),
      onBehalfOf: z.string().describe('Who has the call made'),
    }),
  ])
  .meta({ id: 'LiveMessage' })
export type LiveMessage = z.infer<typeof LiveMessage>
export const WebhookEventType = z.enum(WEBHOOK_EVENTS)
export type WebhookEventType = z.infer<typeof WebhookEventType>

/** A call in a webhook event. */
export const CallNews = Call.extend({
  outcomes: z
    .array(Outcome)
    .optional()
    .describe(
      'What came of each objective, as far as it is known by then. Deliveries made before 2026-11-22 have none',
    ),
}).meta({ id: 'CallNews' })
export type CallNews = z.infer<typeof CallNews>

/** The body of a webhook, signed by Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature. */
export const WebhookEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.enum(['call.started', 'call.completed', 'call.failed']), timestamp: Instant, data: CallNews }),
    z.object({ type: z.literal('batch.completed'), timestamp: Instant, data: BatchOverview }),
    z.object({
      type: z.literal('credits.low'),
      timestamp: Instant,
      data: User.pick({ creditBalance: true, creditsHeld: true }),
    }),
    z.object({
      type: z.literal('contact.opted_out'),
      timestamp: Instant,
      data: z.object({ phone: z.string(), callId: Id, quote: z.string() }),
    }),
    z.object({ type: z.literal('test'), timestamp: Instant, data: z.object({ message: z.string() }) }),
  ])
  .meta({ id: 'WebhookEvent' })
export type WebhookEvent = z.infer<typeof WebhookEvent>

export const Webhook = z
  .object({
    url: z.string().nullable().describe('As saved in the settings; null: nothing is sent'),
    secret: z.string().nullable().describe('whsec_…, to verify the signatures with'),
    events: z.array(WebhookEventType),
  })
  .meta({ id: 'Webhook' })
export type Webhook = z.infer<typeof Webhook>

export const WebhookDelivery = z
  .object({
    id: Id.describe('The webhook-id, the same on every attempt'),
    type: z.enum([...WEBHOOK_EVENTS, 'test']),
    url: z.string(),
    status: z.enum(['waiting', 'delivered', 'failed']),
    attempts: z.int().min(0),
    responseStatus: z.int().nullable().describe('What the address answered last'),
    error: z.string().nullable().describe('Why the last attempt failed, in a sentence'),
    nextAttemptAt: Instant.nullable(),
    createdAt: Instant,
    deliveredAt: Instant.nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

export const WebhookDeliveryDetails = WebhookDelivery.extend({
  payload: WebhookEvent,
  response: z.string().nullable().describe('The beginning of the last answer'),
}).meta({ id: 'WebhookDeliveryDetails' })
export type WebhookDeliveryDetails = z.infer<typeof WebhookDeliveryDetails>
