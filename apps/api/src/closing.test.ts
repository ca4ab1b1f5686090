import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { securityRoutes } from '@parley/contract'
import { createTestApp } from './testing.ts'

/** Headers and body of MCP's subscriptions/listen, revision 2026-07-28. */
function listening(key: string) {
  const version = '2026-07-28'
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'assistant', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return {
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': 'subscriptions/listen',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta, notifications: { toolsListChanged: true } },
    }),
  }
}

test('MCP refuses subscriptions/listen and an event stream at once', async () => {
  const app = await createTestApp()
  const { client, user } = await app.signUp()
  const { data } = await client.request(securityRoutes.createApiKey, { params: { id: user.id }, body: {} })
  const answer = await app.client().fetch('/mcp', { method: 'POST', ...listening(data.key) })
  expect(await answer.json()).toMatchObject({ id: 1, error: { message: expect.stringContaining('limit') } })
  const streams = await app
    .client()
    .fetch('/mcp', { headers: { authorization: `Bearer ${data.key}`, accept: 'text/event-stream' } })
  expect(streams.status).toBe(405)
  await app.close()
})

test('close() does not wait for half-sent requests, idle sockets or unread answers', async () => {
  const app = await createTestApp({
    extend: (fastify) =>
      fastify.get('/stream', async (_request, reply) => reply.hijack().raw.writeHead(200).write('beginning')),
  })
  const { client, user } = await app.signUp()
  const port = Number(new URL(app.url).port)
  const ended: Promise<unknown>[] = []
  const lost = (name: string) =>
    ended.push(
      new Promise((done) => {
        const socket = connect(port, '127.0.0.1', () => {
          if (name === 'idle') socket.write('GET /api/auth/user HTTP/1.1\r\nHost: localhost\r\n\r\n')
          if (name === 'upload')
            socket.write(
              'POST /api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
            )
          if (name === 'stream') socket.write('GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
          if (name === 'headers') socket.write('GET / HTTP/1.1\r\nHost:')
        })
        socket
          .on('error', () => undefined)
          .on('close', done)
          .resume()
      }),
    )
  for (const name of ['idle', 'upload', 'stream', 'headers']) lost(name)
  const page = new WebSocket(`${app.url.replace('http', 'ws')}/ws?userId=${user.id}`, {
    headers: { cookie: client.cookieHeader() },
  })
  await new Promise((open) => page.once('message', open))
  // Reads nothing more, like a page that has lost its network.
  page.pause()
  await app.close()
  expect(await Promise.all(ended)).toHaveLength(4)
  page.terminate()
})
