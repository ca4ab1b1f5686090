import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { type FactBody, NewCall } from '@parley/contract'
import { recordFacts } from '../../apps/api/src/calls/facts.ts'
import { placeCall } from '../../apps/api/src/calls/placing/place.ts'
import type { Context } from '../../apps/api/src/context.ts'
import { LARGEST } from './fill.ts'
import { percentile } from './statements.ts'

// What placing and ending a call costs, in two databases of different size in turn, so that load slows both alike.

const TURNS = 8
const ACCOUNTS = 40

export interface WriteCosts {
  readonly placeMs: readonly [small: number, large: number]
  readonly endMs: readonly [small: number, large: number]
  /** Medians of the rounds' ratios, large by small. */
  readonly placeRatio: number
  readonly endRatio: number
}

export async function compareWrites(small: Context, large: Context, rounds: number): Promise<WriteCosts> {
  const taken = { place: [[], []] as [number[], number[]], end: [[], []] as [number[], number[]] }
  const ratios = { place: [] as number[], end: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const pair: { place: number; end: number }[] = []
    for (const [index, context] of [small, large].entries()) {
      const { place, end } = await oneRound(context, round)
      taken.place[index]?.push(...place)
      taken.end[index]?.push(...end)
      pair.push({ place: percentile(place, 0.5), end: percentile(end, 0.5) })
    }
    const [one, other] = pair
    // The first round compiles and caches.
    if (!one || !other || (round === 0 && rounds > 1)) continue
    ratios.place.push(other.place / one.place)
    ratios.end.push(other.end / one.end)
  }
  const medians = ([one, other]: readonly [number[], number[]]) =>
    [percentile(one, 0.5), percentile(other, 0.5)] as const
  return {
    placeMs: medians(taken.place),
    endMs: medians(taken.end),
    placeRatio: percentile(ratios.place, 0.5),
    endRatio: percentile(ratios.end, 0.5),
  }
}

/** Every account places a call and it ends; one in ten is the largest account's. */
async function oneRound({ calls }: Context, round: number): Promise<{ place: number[]; end: number[] }> {
  const place: number[] = []
  const end: number[] = []
  for (let index = 0; index < ACCOUNTS; index++) {
    const userId = index % 10 === 0 ? LARGEST : `growth-${1 + index}`
    const callee = `+1202555${String((round * ACCOUNTS + index) % 10_000).padStart(4, '0')}`
    const objectives = ['A table at 7 pm']
    const order = NewCall.parse({ callee, purpose: 'Book a table for two', objectives, maxDurationMinutes: 1 })
    const placedAt = performance.now()
    const { id } = await placeCall(calls, userId, order, { key: randomUUID(), pageLanguage: 'en' })
    const endingAt = performance.now()
    place.push(endingAt - placedAt)
    await converse(calls, id)
    end.push(performance.now() - endingAt)
  }
  return { place, end }
}

/** As the voice service reports it: the dialing, each pair of turns, the end, the summary. */
async function converse(calls: Context['calls'], callId: string): Promise<void> {
  let seq = 0
  const say = (...bodies: FactBody[]) => {
    const facts = bodies.map((body) => ({ ...body, seq: ++seq, at: new Date().toISOString(), callMs: seq * 1000 }))
    return recordFacts(calls, callId, facts)
  }
  const turn = (index: number): FactBody => {
    const speaker = index % 2 === 0 ? 'agent' : 'user'
    const text = `The table number ${index} is on the terrace of ${callId}, and would be free at seven.`
    return {
      type: 'turn',
      turn: { index, speaker, text, startMs: index * 1000, endMs: index * 1000 + 900, heard: true },
    }
  }
  await say({ type: 'dialing' }, { type: 'ringing' }, { type: 'answered' })
  for (let index = 0; index < TURNS; index += 2) await say(turn(index), turn(index + 1))
  await say({ type: 'ended', reason: 'agent_closed', message: 'The end.', connectedSeconds: 50 })
  const summary = { type: 'success' as const, title: 'Booked', description: 'A table was agreed.', insights: [] }
  const steps = { nextSteps: [], actionRequired: false, actionText: null }
  const outcomes = [{ objective: 'A table at 7 pm', status: 'met' as const, quote: null, turn: 1 }]
  await say({ type: 'wrapped_up', outcomes, summary: { ...summary, ...steps }, language: 'en' })
}

/** Accepts every order and never calls: the voice service is not measured. */
export async function startVoiceStandIn(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const callId = /"callId":"([^"]+)"/.exec(body)?.[1] ?? ''
      response.writeHead(request.method === 'POST' ? 202 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ callId, clockSpeed: 1, live: true }))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
