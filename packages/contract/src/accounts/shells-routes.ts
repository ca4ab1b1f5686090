import { TicketOrder, Ticket } from './shells-shapes.ts'
import { defineRoute } from '../route.ts'
import { shellsPaths } from '../paths.ts'

/** What the native shells ask in place of cookies. */
export const shellsRoutes = {
  createTicket: defineRoute({
    ...shellsPaths.createTicket,
    room: 'accounts',
    access: 'session',
    summary: 'A ticket for one request where no header can be sent: a socket or a download',
    body: TicketOrder,
    reply: Ticket,
    status: 201,
  }),
} as const
