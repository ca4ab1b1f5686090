// Plays the outside world: a phone network with its callees, an ear and a mouth for it, a payments provider, an S3 bucket.

import { createSimulatedCarrier } from './network/index.ts'
import { createScriptedEar } from './speech/ear.ts'
import { createScriptedMouth } from './speech/mouth.ts'

export { createSimulatedCarrier, type SimulatedCarrier, type Speak } from './network/index.ts'
export { personas } from './network/personas/index.ts'
export { type Sandbox, type SandboxOptions, startSandbox } from './payments/sandbox.ts'
export { type EmbeddedPayments, paymentsEnvironment, startPayments } from './payments/start.ts'
export { type Bucket, bucketEnvironment, startBucket } from './s3/index.ts'
export { createScriptedEar, type ScriptedEar, type ScriptedEarOptions } from './speech/ear.ts'
export { guessLanguage } from './speech/language.ts'
export { createTroubledMind, type Trouble } from './speech/mind.ts'
export { createLateWordsMouth, createScriptedMouth, createStallingMouth, createUntimedMouth } from './speech/mouth.ts'
export { synthesize } from './speech/synthetic.ts'

/** The pieces that the voice service needs. */
export const SANDBOX = { network: createSimulatedCarrier, ear: createScriptedEar, mouth: createScriptedMouth }
