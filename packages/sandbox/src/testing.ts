// For tests alone: the phone network and vendors' far ends with faults on demand. A running service gets the network
// from index.ts.

export { type ModelExchange, type ModelFarEnd, startModelFarEnd } from './language-model/index.ts'
export {
  type ModelAnswer,
  type ModelRequest,
  type ModelStep,
  spoken,
  type WireFormat,
  words,
} from './language-model/shapes.ts'
export type { NetworkFaults } from './network/faults.ts'
export { createTestNetwork, type NetworkTestOptions } from './network/index.ts'
export { startCartesiaFarEnd } from './cartesia/index.ts'
export { startDeepgramSpeakFarEnd } from './deepgram-speak/index.ts'
export { startElevenLabsFarEnd } from './elevenlabs/index.ts'
export type { AskedText, MouthFarEnd } from './mouths/server.ts'
export { startOpenAiSpeechFarEnd } from './openai-speech/index.ts'
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
export { type Attack, ATTACKS, type AttacksIn, type Innocent } from './adversarial/index.ts'
export { type DeepgramFarEnd, type DeepgramFarEndOptions, startDeepgramFarEnd } from './deepgram/index.ts'
export type { SocketFault } from './recognition/faults.ts'
export { SpeechScript, type SpokenUtterance } from './recognition/script.ts'
export {
  type OpenaiTranscriptionFarEnd,
  type OpenaiTranscriptionOptions,
  startOpenaiTranscription,
} from './openai-transcription/index.ts'
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
export { type ApnsFarEnd, type ApnsFault, startApnsFarEnd } from './push/apns.ts'
export { type FcmFarEnd, type FcmFault, startFcmFarEnd } from './push/fcm.ts'
