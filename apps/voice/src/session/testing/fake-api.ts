import { FactReport, type Fact } from '@parley/contract'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeApi {
  readonly url: string
  /** Facts as the api would keep them, by call: in order, each once. */
  readonly facts: Map<string, Fact[]>
  readonly requests: { readonly path: string; readonly authorization: string | undefined; readonly count: number }[]
  /** Recordings it was given, by call. */
  readonly recordings: Map<string, Buffer>
  /** Failures of the next requests, in order: a status, or a broken connection. */
  readonly failures: (number | 'broken' | 'lost_answer')[]
  /** Resolves when the call's facts fulfil the condition. */
  until(callId: string, condition: (facts: readonly Fact[]) => boolean): Promise<readonly Fact[]>
  close(): Promise<void>
}

/** The api's end of the wire, over real HTTP. For tests. */
export async function startFakeApi(onPort = 0): Promise<FakeApi> {
  const facts: FakeApi['facts'] = new Map()
  const requests: FakeApi['requests'] = []
  const failures: FakeApi['failures'] = []
  const recordings: FakeApi['recordings'] = new Map()
  const waiting = new Set<() => void>()

  const take = (path: string, body: string): number => {
    const report = FactReport.parse(JSON.parse(body))
    const callId = decodeURIComponent(path.split('/')[3] ?? '')
    const kept = facts.get(callId) ?? []
    facts.set(callId, kept)
    for (const fact of report.facts) if (fact.seq === kept.length + 1) kept.push(fact)
    return kept.length
  }

  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      if (request.method === 'PUT') {
        const refusal = failures.shift()
        if (typeof refusal === 'number') return void reply.writeHead(refusal).end()
        recordings.set(decodeURIComponent(path.split('/')[3] ?? ''), Buffer.concat(chunks))
        return void reply.writeHead(204).end()
      }
      // An api that knows no voice nodes.
      if (!path.endsWith('/facts')) return void reply.writeHead(404).end('{}')
      const body = Buffer.concat(chunks).toString()
      requests.push({
        path,
        authorization: request.headers.authorization,
        count: FactReport.parse(JSON.parse(body)).facts.length,
      })
      const failure = failures.shift()
      const taken = typeof failure === 'number' || failure === 'broken' ? 0 : take(path, body)
      if (typeof failure === 'number') reply.writeHead(failure).end('{}')
      else if (failure) request.socket.destroy()
      else reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ taken }))
      for (const check of waiting) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    facts,
    recordings,
    requests,
    failures,
    until: (callId, condition) =>
      new Promise((resolve) => {
        const check = () => {
          const kept = facts.get(callId) ?? []
          if (!condition(kept)) return
          waiting.delete(check)
          resolve(kept)
        }
        waiting.add(check)
        check()
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
