import type { CallStatus, EndReason, Tone } from './shapes.ts'

export const CALL_MINUTES_MIN = 1
export const CALL_MINUTES_MAX = 30
export const CALL_MINUTES_DEFAULT = 10
export const RECENT_CALLS = 3
export const OBJECTIVES_MAX = 20
export const ALTERNATIVES_MAX = 10
/** Private values of one call. */
export const VAULT_MAX = 10
export const CONTEXT_MAX_BYTES = 16_384

export const CALL_LANGUAGES = [
  'auto',
  'en',
  'ar',
  'zh',
  'fr',
  'de',
  'el',
  'hi',
  'it',
  'ja',
  'pt',
  'pt-BR',
  'es',
] as const

/** The dashboard offers the first four; Make Call and Settings offer all five. */
export const TONES = ['friendly', 'professional', 'casual', 'formal', 'empathetic'] as const
export const QUICK_CALL_TONE_DEFAULT: Tone = 'friendly'
export const SINGLE_CALL_TONE_DEFAULT: Tone = 'professional'

/** Never backwards. connected: answered. in_progress: the first words were exchanged. */
export const CALL_STATUSES = [
  'initiated',
  'dialing',
  'ringing',
  'connected',
  'in_progress',
  'completed',
  'failed',
] as const
export const LIVE_STATUSES = [
  'initiated',
  'dialing',
  'ringing',
  'connected',
  'in_progress',
] as const satisfies readonly CallStatus[]

/** Why a call is over. Those of ANSWERED_END_REASONS complete it; the others fail it. */
export const ANSWERED_END_REASONS = [
  'agent_closed',
  'callee_hung_up',
  'stopped',
  'time_limit',
  'silence',
  'refused_to_talk',
  'opted_out',
  'voicemail',
  'screened',
] as const
export const FAILED_END_REASONS = [
  'canceled',
  'busy',
  'no_answer',
  'not_in_service',
  'carrier_failure',
  'carrier_dropped',
  'fax',
  'not_allowed',
  'interrupted',
] as const
export const END_REASONS = [...ANSWERED_END_REASONS, ...FAILED_END_REASONS] as const
/**
 * What became of ringing the owner. accepted: put through. not_accepted: picked up, and the key was not pressed. machine:
 * a mailbox picked up. withdrawn: no longer wanted, as where the call ended meanwhile.
 */
export const OWNER_LEG_ENDS = ['accepted', 'not_accepted', 'machine', 'not_answered', 'withdrawn'] as const

/** Stages shown to a person; objectives and endings are written by the two functions below. */
export const PHASES = {
  queued: 'queued',
  waitingForHours: 'waiting for calling hours',
  waitingForLine: 'waiting for a free line',
  dialing: 'dialing',
  ringing: 'ringing',
  greeting: 'greeting',
  menu: 'finding the way through a menu',
  screening: 'speaking to a screening assistant',
  onHold: 'on hold',
  voicemail: 'voicemail',
  wrappingUp: 'wrapping up',
  askingToRecord: 'asking whether the call may be recorded',
  notRecorded: 'not recorded: the callee did not agree',
  takingOver: 'saying who is calling before you speak',
  takenOver: 'taken over by you',
  ringingOwner: 'ringing your phone',
} as const

export function objectivePhase(index: number, count: number): string {
  return `objective ${index + 1} of ${count}`
}

const ENDED_AS: Partial<Record<EndReason, string>> = {
  busy: 'busy',
  no_answer: 'no answer',
  refused_to_talk: 'refused to talk',
  opted_out: 'refused to talk',
  voicemail: 'voicemail',
  canceled: 'stopped',
  not_in_service: 'carrier failure',
  carrier_failure: 'carrier failure',
  carrier_dropped: 'carrier failure',
  fax: 'fax machine',
  not_allowed: 'not allowed',
  interrupted: 'interrupted',
}

export function endedPhase(reason: EndReason): string {
  return `ended: ${ENDED_AS[reason] ?? 'answered'}`
}

/**
 * met: just what was asked. met_within_limits: something else that the order's limits allow, and it was agreed.
 * offered: something else is on the table and nothing was agreed; the person decides. refused, open: not got, or not
 * settled.
 */
export const OUTCOME_STATUSES = ['met', 'met_within_limits', 'offered', 'refused', 'open'] as const
export type OutcomeStatus = (typeof OUTCOME_STATUSES)[number]

/** Counts as success: what was asked, or what the order's limits allow. */
export function isMet({ status }: { readonly status: OutcomeStatus }): boolean {
  return status === 'met' || status === 'met_within_limits'
}

/**
 * The parts of a reply's delay. end_of_turn: from the callee's last sound to the end of their turn; ear_final: until the
 * ear's last words; mind_first_word: from the question to the mind; mouth_first_sound: from a text to the mouth;
 * first_frame: from the callee's last sound to the agent's first.
 */
export const STAGES = ['end_of_turn', 'ear_final', 'mind_first_word', 'mouth_first_sound', 'first_frame'] as const
export type Stage = (typeof STAGES)[number]

/** Calls that a search finds are counted up to one more than this. */
export const CALLS_FOUND_MAX = 1000
