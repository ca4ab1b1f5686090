import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebhookEvent } from '@parley/contract'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

// For tests of the whole, which enter here.
export { startPushFarEnds } from './push/testing.ts'
export { device } from './schema.ts'

interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A webhook receiver on this machine that answers as the test says. */
export async function startReceiver() {
  const received: Received[] = []
  const held: (() => void)[] = []
  const release = () => held.splice(0).forEach((answer) => answer())
  const receiver = {
    url: '',
    received,
    release,
    answer: { status: 200, body: 'ok', headers: {} as Record<string, string> },
    hangs: false,
  }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        id: String(request.headers['webhook-id']),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      const answer = () => response.writeHead(receiver.answer.status, receiver.answer.headers).end(receiver.answer.body)
      if (receiver.hangs) held.push(answer)
      else answer()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const close = () => new Promise<void>((done) => server.close(() => done()).closeAllConnections())
  /** Waits for a delivery and verifies its signature. */
  const receive = (secret: string, wanted: (event: WebhookEvent) => boolean): Promise<WebhookEvent> => {
    const verifier = new Webhook(secret)
    return vi.waitFor(
      () => {
        for (const { headers, body } of received) {
          try {
            const event = WebhookEvent.parse(verifier.verify(body, headers as Record<string, string>))
            if (wanted(event)) return event
          } catch {
            // Somebody else's.
          }
        }
        throw new Error('It was not delivered.')
      },
      { timeout: 40_000, interval: 20 },
    )
  }
  return Object.assign(receiver, { close, receive })
}
