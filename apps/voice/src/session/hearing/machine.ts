import type { Cue, MachineVerdict, ToneEvent } from '@parley/voice-ports'
import { classify, type Sounds } from './classify.ts'

/**
 * Detects machines. Pure: events in, signs for the turns out. Voicemail needs a recorder's words or a long greeting and
 * then a beep; after a recorder's words, silence will do.
 */
export interface MachineState {
  readonly sounds: Sounds
  /** After a machine has been answered: the next to speak may be a person. */
  readonly expecting: boolean
  /** A conversation has begun: from then on only a recorder's words and a beep together prove a machine. */
  readonly conversing: boolean
  /** When a recorder's words were heard last, and when a beep was. */
  readonly recorderMs: number | null
  readonly beepMs: number | null
  /** A message is being left: later events are ignored. */
  readonly done: boolean
  /** Final words since the last decision. */
  readonly settled: string
  readonly partial: string
  readonly speakingSinceMs: number | null
  readonly quietSinceMs: number | null
  readonly longGreeting: boolean
  /** The carrier takes the callee for a machine; one sign among others, since it errs. */
  readonly carrierSaysMachine: boolean
}

interface MachineWords {
  readonly type: 'words'
  readonly text: string
  readonly final: boolean
}

export type MachineEvent =
  | MachineWords
  | { readonly type: 'speech_started'; readonly sinceMs: number }
  | { readonly type: 'speech_stopped'; readonly untilMs: number }
  | { readonly type: 'tone'; readonly tone: ToneEvent }
  /** The carrier's own detection. */
  | { readonly type: 'carrier'; readonly verdict: MachineVerdict }
  | { readonly type: 'conversation' }
  | { readonly type: 'tick' }

export type MachineSign =
  /** Say nothing: a machine may be speaking. */
  | { readonly type: 'suspected' }
  | { readonly type: 'person' }
  /** The machine asks the caller to hold. */
  | { readonly type: 'waits' }
  | { readonly type: 'cue'; readonly cue: Extract<Cue, { type: 'voicemail' | 'menu' | 'screening' }> }
  | { readonly type: 'fax' }

/** A person's greeting is shorter. */
const LONG_GREETING_MS = 2500
/** Silence after the words before they are acted on. */
const QUIET_MS: Record<Sounds, number> = { recorder: 1500, menu: 800, screening: 500, waiting: 500, person: 400 }

/** In a conversation the beep may come this long after the words, or before them when the ear is late. */
const BEEP_AFTER_WORDS_MS = 10_000
const BEEP_BEFORE_WORDS_MS = 3000

export const FIRST_MACHINE_STATE: MachineState = {
  sounds: 'person',
  expecting: false,
  conversing: false,
  recorderMs: null,
  beepMs: null,
  done: false,
  settled: '',
  partial: '',
  speakingSinceMs: null,
  quietSinceMs: null,
  longGreeting: false,
  carrierSaysMachine: false,
}

interface Heard {
  readonly state: MachineState
  readonly sign: MachineSign | null
}

export function listenForMachine(state: MachineState, event: MachineEvent, nowMs: number): Heard {
  if (state.done) return { state, sign: null }
  switch (event.type) {
    case 'words':
      return hearWords(state, event, nowMs)
    case 'speech_started':
      return { state: { ...state, speakingSinceMs: event.sinceMs, quietSinceMs: null }, sign: null }
    case 'speech_stopped': {
      const longGreeting = isLong(state, event.untilMs)
      return { state: { ...state, longGreeting, speakingSinceMs: null, quietSinceMs: event.untilMs }, sign: null }
    }
    case 'tone':
      return hearTone(state, event.tone, nowMs)
    case 'carrier':
      return hearCarrier(state, event.verdict, nowMs)
    case 'conversation':
      return {
        state: { ...forgotten(state), conversing: true, longGreeting: false, carrierSaysMachine: false },
        sign: null,
      }
    case 'tick': {
      const dueMs = machineDeadlineMs(state)
      return dueMs !== null && nowMs >= dueMs ? decide(state) : { state, sign: null }
    }
  }
}

/** When the next `tick` is due; null: never. */
export function machineDeadlineMs(state: MachineState): number | null {
  const undecided = state.sounds !== 'person' || (state.expecting && textOf(state) !== '')
  return undecided && !state.done && state.quietSinceMs !== null ? state.quietSinceMs + QUIET_MS[state.sounds] : null
}

function hearWords(before: MachineState, { text, final }: MachineWords, nowMs: number): Heard {
  const settled = final ? `${before.settled} ${text}`.trim() : before.settled
  const state = { ...before, settled, partial: final ? '' : text }
  const heard = classify(textOf(state))
  // A person may say "press 1" or "please wait": in a conversation only a recorder's words count.
  const sounds = heard !== 'recorder' && state.conversing && !state.expecting ? 'person' : heard
  const next = { ...state, sounds, recorderMs: heard === 'recorder' ? nowMs : state.recorderMs }
  if (next.conversing && heard === 'recorder' && isWithin(next.beepMs, BEEP_BEFORE_WORDS_MS, nowMs))
    return leaveMessage(next)
  if (before.expecting || (before.sounds === 'person') === (sounds === 'person')) return { state: next, sign: null }
  return { state: next, sign: { type: sounds === 'person' ? 'person' : 'suspected' } }
}

function hearTone(state: MachineState, tone: ToneEvent, nowMs: number): Heard {
  if (tone.type === 'fax' && !state.conversing) return { state: { ...state, done: true }, sign: { type: 'fax' } }
  if (tone.type !== 'beep') return { state, sign: null }
  const isRecorder = state.conversing
    ? isWithin(state.recorderMs, BEEP_AFTER_WORDS_MS, nowMs)
    : soundsRecorded(state, nowMs)
  return isRecorder ? leaveMessage(state) : { state: { ...state, beepMs: nowMs }, sign: null }
}

/** Words of a recorder, a greeting longer than a person's, or the carrier's verdict. */
function soundsRecorded(state: MachineState, nowMs: number): boolean {
  return state.sounds === 'recorder' || state.carrierSaysMachine || isLong(state, nowMs)
}

/** A verdict proves nothing alone: a person whose words were heard is not cut off for it. */
function hearCarrier(state: MachineState, verdict: MachineVerdict, nowMs: number): Heard {
  const isPerson = state.conversing || (state.sounds === 'person' && textOf(state) !== '')
  switch (verdict) {
    case 'human':
      return { state: { ...state, carrierSaysMachine: false }, sign: null }
    case 'machine':
      return { state: { ...state, carrierSaysMachine: !isPerson }, sign: null }
    case 'beep':
      return state.conversing || !soundsRecorded(state, nowMs) ? { state, sign: null } : leaveMessage(state)
    case 'fax':
      return isPerson ? { state, sign: null } : { state: { ...state, done: true }, sign: { type: 'fax' } }
    case 'unknown':
      return { state, sign: null }
  }
}

function decide(state: MachineState): Heard {
  switch (state.sounds) {
    case 'recorder':
      if (!state.conversing) return leaveMessage(state)
      return { state: forgotten(state), sign: { type: 'person' } }
    case 'menu':
    case 'screening': {
      const cue = { type: state.sounds, text: textOf(state) }
      return { state: { ...forgotten(state), expecting: true }, sign: { type: 'cue', cue } }
    }
    case 'waiting':
      return { state: { ...forgotten(state), expecting: true }, sign: { type: 'waits' } }
    case 'person':
      return { state: { ...forgotten(state), expecting: false }, sign: { type: 'person' } }
  }
}

function leaveMessage(state: MachineState): Heard {
  return { state: { ...state, done: true }, sign: { type: 'cue', cue: { type: 'voicemail' } } }
}

function isWithin(atMs: number | null, ms: number, nowMs: number): boolean {
  return atMs !== null && nowMs - atMs <= ms
}

function forgotten(state: MachineState): MachineState {
  return { ...state, sounds: 'person', settled: '', partial: '' }
}

function textOf({ settled, partial }: MachineState): string {
  return `${settled} ${partial}`.trim()
}

function isLong({ longGreeting, speakingSinceMs }: MachineState, untilMs: number): boolean {
  return longGreeting || (speakingSinceMs !== null && untilMs - speakingSinceMs > LONG_GREETING_MS)
}
