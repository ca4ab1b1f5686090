import { randomUUID } from 'node:crypto'
import { type AnsweringCarrier, type CarrierStanding, type Leg, type LegEnd } from '@parley/voice-ports'
import { Callee } from './callee.ts'
import type { NetworkFaults } from './faults.ts'
import { Handset } from './handset.ts'
import { SimulatedLeg } from './leg.ts'
import { personaOf } from './personas/index.ts'
import { CallRecords, systemWall, type Wall } from './records.ts'
import type { Speak } from './sound.ts'

export type { Speak } from './sound.ts'

/** Ended calls that ask() remembers without records on disk. */
const REMEMBERED = 5000

export interface SimulatedCarrierOptions {
  /** The voice of the callees. */
  readonly speak: Speak
  /** Where call records are kept, so that ask() answers for a process that was killed; without it, nowhere. */
  readonly recordsDir?: string
  readonly rng?: () => number
}

/** What a test may set besides: never a running service, whose options are those above. */
export interface NetworkTestOptions extends SimulatedCarrierOptions {
  readonly faults?: NetworkFaults
  readonly wall?: Wall
  /** A digit that a callee heard. */
  readonly onDigit?: (digit: string) => void
}

export type SimulatedCarrier = AnsweringCarrier

/** A simulated phone network: any number can be dialed, and its last seven digits choose the callee. */
export function createSimulatedCarrier(options: SimulatedCarrierOptions): SimulatedCarrier {
  const { speak, recordsDir, rng } = options
  return createTestNetwork({ speak, ...(recordsDir !== undefined && { recordsDir }), ...(rng && { rng }) })
}

/** The same network with faults on demand. */
export function createTestNetwork(options: NetworkTestOptions): SimulatedCarrier {
  const { speak, rng = Math.random, faults = {}, onDigit, recordsDir, wall = systemWall } = options
  const legs = new Map<string, SimulatedLeg>()
  const ended = new Map<string, LegEnd>()
  const records =
    recordsDir === undefined
      ? null
      : new CallRecords({ dir: recordsDir, wall, onTakenForOver: (id) => legs.get(id)?.drop() })

  function over(id: string, end: LegEnd): void {
    legs.delete(id)
    records?.ended(id, end)
    if (records) return
    ended.set(id, end)
    const [oldest] = ended.keys()
    if (ended.size > REMEMBERED && oldest !== undefined) ended.delete(oldest)
  }

  function standing(id: string): CarrierStanding | null {
    const leg = legs.get(id)
    if (leg) return { state: 'live', connectedMs: leg.connectedMs }
    const end = ended.get(id)
    return end ? { state: 'ended', ...end } : (records?.standing(id) ?? null)
  }

  return {
    name: 'simulated',
    dial(dial, clock, onEvent): Leg {
      const persona = personaOf(dial.to)
      const id = records?.place(clock) ?? `SIM-${randomUUID()}`
      const callee = (signal: AbortSignal, nowMs: number) => new Callee(persona, speak, signal, nowMs, onDigit)
      const leg = new SimulatedLeg({
        carrierCallId: id,
        persona,
        dial,
        clock,
        speak,
        rng,
        faults,
        callee,
        onEvent,
        onAnswered: () => records?.answered(id),
        onOver: (end) => over(id, end),
      })
      legs.set(id, leg)
      return leg
    },
    ask: (id) => Promise.resolve(standing(id)),
    hangUp(id) {
      const leg = legs.get(id)
      if (leg) leg.hangUp()
      else records?.takeForOver(id)
      return Promise.resolve()
    },
    pickUp(callId, hear) {
      const leg = legs.values().find(({ options }) => options.callId === callId)
      return (
        leg?.pickUp(
          (signal) => new Handset(speak, { language: leg.options.language, voiceId: 'friendly', signal }, hear),
        ) ?? null
      )
    },
    close() {
      for (const leg of legs.values()) leg.drop()
      records?.close()
      return Promise.resolve()
    },
  }
}
