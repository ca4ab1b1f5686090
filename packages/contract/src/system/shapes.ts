import { z } from 'zod'

/** 200 only when work can be taken. */
export const Health = z
  .object({
    status: z.enum(['ok', 'degraded', 'draining']),
    version: z.string(),
    parts: z.object({
      database: z.string(),
      voice: z.string(),
      carrier: z.string(),
      mind: z.string(),
      payments: z.string(),
      mail: z.string(),
      disk: z.enum(['ok', 'full']),
    }),
  })
  .meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

/** Of a process that serves requests; one that hangs answers nothing. */
export const Liveness = z.object({ status: z.literal('ok') }).meta({ id: 'Liveness' })
export type Liveness = z.infer<typeof Liveness>

/** 503 and a sentence while requests would fail. */
export const Readiness = z
  .object({ status: z.enum(['ready', 'not_ready']), reason: z.string().nullable() })
  .meta({ id: 'Readiness', description: 'Whether requests can be sent here' })
export type Readiness = z.infer<typeof Readiness>

export const Preflight = z
  .object({
    ready: z.boolean().describe('Whether a call placed now would be dialed'),
    obstacle: z
      .enum(['voice_away', 'deaf', 'carrier_broken', 'dialing_off', 'storage_full'])
      .nullable()
      .describe('Why not; deaf: nothing understands what is said on a real line'),
    testNumbers: z.boolean().describe('Whether +1 202 555 01xx can be called all the same'),
  })
  .meta({ id: 'Preflight' })
export type Preflight = z.infer<typeof Preflight>

/** A mail of the local outbox, where no SMTP server is configured. */
export const OutboxMail = z.object({
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  sentAt: z.iso.datetime(),
})
export type OutboxMail = z.infer<typeof OutboxMail>
