import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** ms for requests in progress when the server stops. */
const GRACE_MS = 5000

/** Bounds the time of a stop: connections that still send, read or listen afterwards are closed. */
export function endConnectionsAtClose(fastify: FastifyInstance, graceMs = GRACE_MS): void {
  const open = new Set<Socket>()
  fastify.server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  let patience: NodeJS.Timeout | undefined
  fastify.addHook('preClose', async () => {
    patience = setTimeout(() => {
      if (open.size > 0) fastify.log.warn({ connections: open.size }, 'ended what was still open')
      for (const socket of open) socket.destroy()
    }, graceMs)
  })
  fastify.addHook('onClose', async () => clearTimeout(patience))
}
