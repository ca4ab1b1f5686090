import type { AnsweringCarrier } from '@parley/voice-ports'
import { Callee } from './callee.ts'
import { Handset } from './handset.ts'
import { SimulatedLeg } from './leg.ts'
import type { Speak } from './line.ts'
import { personaOf } from './personas/index.ts'

export type { Speak } from './line.ts'

export interface SimulatedCarrierOptions {
  /** Lends the callees a voice. */
  readonly speak: Speak
  readonly rng?: () => number
}

export type SimulatedCarrier = AnsweringCarrier

/** The telephone network that exists only here: any number can be dialed, and who answers is told by its end. */
export function createSimulatedCarrier({ speak, rng = Math.random }: SimulatedCarrierOptions): SimulatedCarrier {
  const legs = new Set<SimulatedLeg>()
  return {
    name: 'simulated',
    capabilities: { playout: 'ours', text: true },
    dial(options, clock, onEvent) {
      const persona = personaOf(options.to)
      const callee = (signal: AbortSignal, nowMs: number) => new Callee(persona, speak, signal, nowMs)
      const leg = new SimulatedLeg({
        persona,
        options,
        clock,
        speak,
        rng,
        callee,
        onEvent,
        onOver: () => void legs.delete(leg),
      })
      legs.add(leg)
      return leg
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
      for (const leg of legs) leg.drop()
      return Promise.resolve()
    },
  }
}
