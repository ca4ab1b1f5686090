import { VOICE_PATHS, type EndReason, type Fact, type Outcome } from '@parley/contract'
import { createApp, createContext, createLog, noJournal, type Overrides, readConfig } from '@parley/voice/adapters'
import { personas, SANDBOX } from '@parley/sandbox'
import { startFakeApi } from '@parley/voice/testing'
import { ENDINGS, orderTo, SUBJECTS } from './orders.ts'

const SECRET = 'the callers of a rehearsal'
const LIMIT_SECONDS = 180

export interface ManyOptions {
  readonly calls: number
  readonly speed: number
  /** Concurrent calls. */
  readonly together: number
  readonly overrides?: Overrides
  /** Called after each call with the number of calls so far. */
  readonly onCall?: (done: number) => void
}

export interface ManyResult {
  readonly number: string
  readonly reason: EndReason | null
  readonly outcomes: readonly Outcome[]
  /** It ended as its persona decides. */
  readonly right: boolean
}

/**
 * Calls to every persona in turn, with changing subjects, through the whole voice service: orders and facts over HTTP.
 */
export async function rehearseMany({ calls, speed, together, overrides, onCall }: ManyOptions): Promise<ManyResult[]> {
  const api = await startFakeApi()
  const environment = { VOICE_SECRET: SECRET, API_URL: api.url, SANDBOX_SPEED: `${speed}`, CAPACITY: `${together}` }
  const context = await createContext(readConfig(environment), {
    sandbox: SANDBOX,
    log: createLog('fatal'),
    journal: noJournal,
    ...overrides,
  })
  const { server, calls: live } = createApp(context)
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const results: ManyResult[] = []

  async function call(index: number): Promise<void> {
    const persona = personas[index % personas.length]
    const subject = SUBJECTS[Math.floor(index / personas.length) % SUBJECTS.length]
    if (!persona || !subject) return
    const order = orderTo(persona.number, {
      ...subject,
      objectives: [...subject.objectives],
      callId: `call-${index}`,
      limitSeconds: LIMIT_SECONDS,
    })
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${SECRET}` }
    const reply = await fetch(`${url}${VOICE_PATHS.calls}`, { method: 'POST', headers, body: JSON.stringify(order) })
    if (reply.status !== 202) throw new Error(`The order was answered with ${reply.status}: ${await reply.text()}`)
    const facts = await api.until(order.callId, (told) => told.some(({ type }) => type === 'wrapped_up'))
    results.push(resultOf(persona.number, facts))
    // Frees the memory of the stand-in api.
    api.facts.delete(order.callId)
    api.requests.length = 0
    onCall?.(results.length)
  }

  try {
    const numbers = Array.from({ length: calls }, (_, index) => index).values()
    await Promise.all(
      Array.from({ length: together }, async () => {
        for (const index of numbers) await call(index)
      }),
    )
    return results
  } finally {
    await live.drain()
    await server.close()
    await context.carrier.close()
    await api.close()
  }
}

function resultOf(number: string, facts: readonly Fact[]): ManyResult {
  const reason = facts.find((fact) => fact.type === 'ended')?.reason ?? null
  const outcomes = facts.find((fact) => fact.type === 'wrapped_up')?.outcomes ?? []
  return { number, reason, outcomes, right: reason !== null && (ENDINGS[number] ?? []).includes(reason) }
}
