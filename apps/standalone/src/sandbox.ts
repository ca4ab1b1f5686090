import { createScriptedEar, createScriptedMouth, createSimulatedCarrier } from '@parley/sandbox'
import type { Sandbox } from '@parley/voice/parts'

/** The outside world as the product on one machine has it. */
export const SANDBOX: Sandbox = {
  network: createSimulatedCarrier,
  ear: createScriptedEar,
  mouth: createScriptedMouth,
}
