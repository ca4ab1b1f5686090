import type { Fact } from './voice-shapes.ts'

/**
 * The wire between api and voice. Orders go down, facts come back. Both sides prove themselves with
 * `Authorization: Bearer <the secret they share>`; what concerns one call (its commands, sound, facts and recording)
 * with the token of its order instead, where it has one.
 *
 *   POST  VOICE/v1/calls               CallOrder     → 202 OrderTaken (the same for an order it has already), 503 if full
 *   POST  VOICE/v1/verifications       VerificationOrder → 202 OrderTaken, 503 if full: a call that tells a code
 *   POST  VOICE/v1/calls/:id/commands  CallCommand   → 202, 404 when no such call is live, 409 before the answer
 *   GET   VOICE/v1/calls/:id                         → 200 CallStanding, 404 when nobody was dialed for it
 *   POST  VOICE/v1/reading             NewReading    → 200 Readings: what the words of an order are understood to allow
 *   GET   VOICE/v1/carrier/:carrierCallId          → 200 CarrierStanding, 404 when the carrier knows no such call, 503
 *   POST  VOICE/v1/carrier/:carrierCallId/hang-up  → 202; 503 when the carrier did not take it
 *   POST  VOICE/v1/summaries           SummaryWanted → 200 CallSummary, 503 when the mind makes none
 *   GET   VOICE/v1/checks                          → 200 CheckedParts (checks.ts): what doctor prints of this node
 *   GET   VOICE/v1/voices/preview?voice&language  → 200 a WAV file with PREVIEW_TEXTS, 503 when no mouth says it
 *   GET   VOICE/health                               → VoiceHealth
 *   GET   VOICE/livez, /readyz                       → Liveness, Readiness (system/): anybody may ask
 *   WS    VOICE/v1/calls/:id/audio, /answer          the sound of a live call (sound.ts)
 *   POST  INTERNAL/internal/calls/:id/facts FactReport    → 200 FactsTaken (reportFacts), 409 stale_fence
 *   PUT   INTERNAL/internal/calls/:id/recording a WAV file → 204 (keepRecording)
 *
 * INTERNAL is a listener of the api's own (INTERNAL_PORT); the public one has nothing under /internal/.
 */
export const VOICE_PATHS = {
  calls: '/v1/calls',
  verifications: '/v1/verifications',
  call: '/v1/calls/:id',
  commands: '/v1/calls/:id/commands',
  health: '/health',
  checks: '/v1/checks',
  summaries: '/v1/summaries',
  reading: '/v1/reading',
  voicePreview: '/v1/voices/preview',
  carrierCall: '/v1/carrier/:carrierCallId',
  carrierHangUp: '/v1/carrier/:carrierCallId/hang-up',
} as const

export type FactType = Fact['type']
/** A fact before its report numbers and stamps it. */
export type FactBody = Fact extends infer F ? (F extends Fact ? Omit<F, 'seq' | 'at' | 'callMs'> : never) : never

export const FACTS_PER_REPORT_MAX = 100

/** Characters of a question that the callee has for the owner; a longer one is cut. */
export const OWNER_QUESTION_MAX = 500

/** Turns of a call that is summarised again. */
export const SUMMARISED_TURNS_MAX = 2000

export const RECORDING_TYPE = 'audio/wav'
/** Both ends of a call of the longest duration, with a margin. */
export const RECORDING_MAX_BYTES = 64 * 1024 * 1024
