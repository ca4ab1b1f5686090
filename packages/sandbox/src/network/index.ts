import type { AnsweringCarrier } from '@parley/voice-ports'
import { Callee } from './callee.ts'
import { Handset } from './handset.ts'
import { SimulatedLeg } from './leg.ts'
import type { Speak } from './sound.ts'
import { personaOf } from './personas/index.ts'

export type { Speak } from './sound.ts'

export interface SimulatedCarrierOptions {
  /** The voice of the callees. */
  readonly speak: Speak
  readonly rng?: () => number
}

export type SimulatedCarrier = AnsweringCarrier

/** A simulated phone network: any number can be dialed, and its last seven digits choose the callee. */
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
        dial: options,
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
