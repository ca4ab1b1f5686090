import { Fact, FACTS_PER_REPORT_MAX } from '@parley/contract'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** As an api reads it that knows no other types. */
const FactReport = z.object({ facts: z.array(Fact).min(1).max(FACTS_PER_REPORT_MAX) })

export interface FakeApi {
  readonly url: string
  /** Facts as the api would keep them, by call: in order, each once. */
  readonly facts: Map<string, Fact[]>
  readonly requests: {
    readonly path: string
    readonly authorization: string | undefined
    readonly traceparent: unknown
    readonly count: number
  }[]
  /** Recordings it was given, by call. */
  readonly recordings: Map<string, Buffer>
  /** Failures of the next requests, in order: a status, or a broken connection. */
  readonly failures: (number | 'broken' | 'lost_answer')[]
  /** Answers 400 to every report that holds a fact for which this is true. */
  refuses: (fact: Fact) => boolean
  /** Resolves when the call's facts fulfil the condition. */
  until(callId: string, condition: (facts: readonly Fact[]) => boolean): Promise<readonly Fact[]>
  close(): Promise<void>
}

/** Returns the number of the last fact kept. */
function take(facts: FakeApi['facts'], path: string, reported: readonly Fact[]): number {
  const callId = decodeURIComponent(path.split('/')[3] ?? '')
  const kept = facts.get(callId) ?? []
  facts.set(callId, kept)
  for (const fact of reported) if (fact.seq === kept.length + 1) kept.push(fact)
  return kept.length
}

/** The api's end of the wire, over real HTTP. For tests. */
export async function startFakeApi(onPort = 0): Promise<FakeApi> {
  const facts: FakeApi['facts'] = new Map()
  const requests: FakeApi['requests'] = []
  const failures: FakeApi['failures'] = []
  const recordings: FakeApi['recordings'] = new Map()
  const waiting = new Set<() => void>()

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
      const { facts: reported } = FactReport.parse(JSON.parse(body))
      requests.push({
        path,
        authorization: request.headers.authorization,
        traceparent: request.headers['traceparent'],
        count: reported.length,
      })
      const failure = failures.shift() ?? (reported.some((fact) => fakeApi.refuses(fact)) ? 400 : undefined)
      const taken = typeof failure === 'number' || failure === 'broken' ? 0 : take(facts, path, reported)
      if (typeof failure === 'number') reply.writeHead(failure).end('{}')
      else if (failure) request.socket.destroy()
      else reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ taken }))
      for (const check of waiting) check()
    })
  })
  await new Promise<void>((resolve) => server.listen(onPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  const fakeApi: FakeApi = {
    url: `http://127.0.0.1:${port}`,
    facts,
    recordings,
    requests,
    failures,
    refuses: () => false,
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
  return fakeApi
}
