import type { CallOrder, EndReason } from '@parley/contract'
import { vi } from 'vitest'
import { Script, type StandInVoice } from '../calls/testing.ts'

export interface Persona {
  readonly answers: boolean
  readonly reason?: EndReason
  readonly seconds?: number
  readonly optsOut?: boolean
}

/** Lets every order that reaches the stand-in end as the test says, one after the other. Returns how to stop. */
export function playCallees(voice: StandInVoice, apiUrl: string, personaOf: (order: CallOrder) => Persona): () => Promise<void> {
  let next = 0
  let stopped = false
  const playing = (async () => {
    while (!stopped) {
      const order = voice.orders[next]
      if (order === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
      else {
        next++
        await play(apiUrl, order, personaOf(order))
        voice.live.set(order.callId, false)
      }
    }
  })()
  return async () => {
    stopped = true
    await playing
  }
}

async function play(apiUrl: string, { callId }: CallOrder, { answers, reason, seconds = 61, optsOut = false }: Persona): Promise<void> {
  const script = new Script(apiUrl, callId)
  if (!answers) {
    await script.say({ type: 'dialing' }, { type: 'ringing' })
    return script.end(0, reason ?? 'no_answer')
  }
  await script.converse()
  if (optsOut) await script.say({ type: 'opted_out', quote: 'Do not call me again.' })
  await script.end(seconds, optsOut ? 'opted_out' : reason)
  await script.wrapUp()
}

/** Waits until what is read is as it should be. */
export function eventually<T>(read: () => Promise<T>, check: (value: T) => void, timeoutMs = 15_000): Promise<T> {
  return vi.waitFor(
    async () => {
      const value = await read()
      check(value)
      return value
    },
    { timeout: timeoutMs, interval: 25 },
  )
}
