// For tests alone: the phone network and vendors' far ends with faults on demand. A running service gets the network
// from index.ts.

export type { NetworkFaults } from './network/faults.ts'
export { createTestNetwork, type NetworkTestOptions } from './network/index.ts'
export { type FarCall, startTwilioFarEnd, type TwilioFarEnd, type TwilioFarEndOptions } from './twilio/index.ts'
export {
  type AnsweredBy,
  echo,
  fax,
  hangsUpAfter,
  type Line,
  machine,
  type Pickup,
  type Recorder,
  recorder,
  silent,
  tone,
} from './twilio/parties.ts'
export { type Callee } from './realtime/callee.ts'
export {
  type OpenaiRealtime,
  type OpenaiRealtimeOptions,
  type OpenaiSession,
  startOpenaiRealtime,
} from './realtime/openai/index.ts'
export type { Answers, FarQuestion, Step } from './realtime/script.ts'
export { toneVoice } from './realtime/script.ts'
export { type GeminiLive, type GeminiLiveOptions, startGeminiLive } from './realtime/gemini/index.ts'
