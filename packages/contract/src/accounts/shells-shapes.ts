import { Instant } from '../common-shapes.ts'
import { z } from 'zod'

export const TicketOrder = z
  .object({
    path: z.string().max(2000).startsWith('/').describe('Path and query of the request that the ticket is for'),
  })
  .meta({ id: 'TicketOrder' })

export const Ticket = z
  .object({ ticket: z.string().describe("For the query's `ticket`"), expiresAt: Instant })
  .meta({ id: 'Ticket', description: 'Good for one request' })
export type Ticket = z.infer<typeof Ticket>
