import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { createServer as createHttp } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { Relay } from './relay.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function startApi(status: number, body: object): Promise<number> {
  const server = createHttp((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

async function startRelay(...ports: number[]): Promise<Relay> {
  const relay = await Relay.listen(ports)
  open.push(() => relay.close())
  return relay
}

const send = (relay: Relay, authorization: string, path = '/internal/calls/c1/facts') =>
  fetch(`http://127.0.0.1:${relay.port}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ facts: [{ seq: 4 }, { seq: 5 }] }),
  })

test('records a report with its fence and the answer, and passes the answer back', async () => {
  const relay = await startRelay(await startApi(200, { taken: 5 }))
  const answer = await send(relay, `Bearer 1.12.1800000000.${'a'.repeat(43)}`)
  expect([answer.status, await answer.json()]).toEqual([200, { taken: 5 }])
  const { atMs, ...report } = relay.reports[0]!
  expect(report).toEqual({ callId: 'c1', fence: 12, seqs: [4, 5], status: 200, taken: 5 })
  expect(Date.now() - atMs).toBeLessThan(20_000)
})

test('records a refusal, and no fence where the shared secret is shown; other requests are none', async () => {
  const relay = await startRelay(await startApi(409, { code: 'stale_fence' }))
  expect((await send(relay, 'Bearer of the secret')).status).toBe(409)
  expect((await send(relay, 'Bearer of the secret', '/internal/nodes/join')).status).toBe(409)
  expect(relay.reports).toMatchObject([{ fence: undefined, status: 409, taken: undefined }])
})

test('asks the next api where nobody listens', async () => {
  const relay = await startRelay(1, await startApi(200, { taken: 5 }))
  expect((await send(relay, 'Bearer x')).status).toBe(200)
})

test('closes the connection where the api does not answer, with a record of what was sent', async () => {
  const gone = createServer((socket) => socket.destroy())
  await once(gone.listen(0, '127.0.0.1'), 'listening')
  open.push(() => gone.close())
  const relay = await startRelay((gone.address() as AddressInfo).port)
  await expect(send(relay, 'Bearer x')).rejects.toThrow('fetch failed')
  expect(relay.reports).toMatchObject([{ seqs: [4, 5], status: 0 }])
})
