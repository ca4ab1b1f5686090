import { createScriptedEar, createScriptedMouth, createSimulatedCarrier } from '@parley/sandbox'
import type { Sandbox } from '../../context.ts'

export const SANDBOX: Sandbox = {
  network: createSimulatedCarrier,
  ear: createScriptedEar,
  mouth: createScriptedMouth,
}
