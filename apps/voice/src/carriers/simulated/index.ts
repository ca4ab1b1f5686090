import type { Carrier } from '../port.ts'
import { SimulatedLeg } from './leg.ts'
import type { Speak } from './line.ts'
import { personaOf } from './personas/index.ts'

export type { Speak } from './line.ts'

export interface SimulatedCarrierOptions {
  /** Lends the callees a voice. */
  readonly speak: Speak
  readonly rng?: () => number
  /** Takes the calls to ...555 0199, which ring in the browser of the signed-in user. Without it, nobody answers there. */
  readonly ringBrowser?: Carrier['dial']
}

/** The telephone network that exists only here: any number can be dialed, and who answers is told by its end. */
export function createSimulatedCarrier({ speak, rng = Math.random, ringBrowser }: SimulatedCarrierOptions): Carrier {
  const legs = new Set<SimulatedLeg>()
  return {
    name: 'simulated',
    capabilities: { playout: 'ours', text: true },
    dial(options, clock, onEvent) {
      const persona = personaOf(options.to)
      if (persona.number === '0199' && ringBrowser) return ringBrowser(options, clock, onEvent)
      const leg = new SimulatedLeg({ persona, options, clock, speak, rng, onEvent, onOver: () => void legs.delete(leg) })
      legs.add(leg)
      return leg
    },
    close() {
      for (const leg of legs) leg.drop()
      return Promise.resolve()
    },
  }
}
