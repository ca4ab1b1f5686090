import { z } from 'zod'
import { BatchCounts } from './batches.ts'
import { Call, Turn } from './calls.ts'
import { Id } from './common.ts'

/** The live channel: /ws?userId={id}, session cookie and Origin checked, closed at logout. */
export const LIVE_PATH = '/ws'

/** What the server says on /ws. A turn may come several times under one index: the last one stands. */
export const LiveMessage = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('connected'), userId: Id }),
    z.object({ type: z.literal('call_status'), call: Call }),
    z.object({ type: z.literal('transcript'), callId: Id, turn: Turn }),
    z.object({ type: z.literal('call_completed'), callId: Id }),
    z.object({ type: z.literal('credits'), creditBalance: z.string() }),
    z.object({ type: z.literal('credits_low'), creditBalance: z.string() }),
    z.object({ type: z.literal('batch_progress'), batchId: Id, counts: BatchCounts }),
  ])
  .meta({ id: 'LiveMessage' })
export type LiveMessage = z.infer<typeof LiveMessage>

/** Close codes of /ws; a browser shows the reason. */
export const LIVE_CLOSE = { unauthenticated: 4401, notYours: 4404, goingAway: 1001 } as const

export const WEBHOOK_EVENTS = [
  'call.started',
  'call.completed',
  'call.failed',
  'batch.completed',
  'credits.low',
  'contact.opted_out',
] as const
