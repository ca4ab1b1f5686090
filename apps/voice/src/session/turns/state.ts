import type { EndReason } from '@parley/contract'
import type { Cue } from '@parley/voice-ports'
import { LATE_WORDS_MS, type TimeLimits } from '../limits.ts'
import type { Phrase } from '../speaking/phrases.ts'

/**
 * listening: the callee has the turn. thinking: a reply is being made. speaking: the agent has the turn.
 * overlapping: both speak. holding: the agent keeps quiet on purpose, in mid-sentence or before a machine.
 */
type Mode = 'listening' | 'thinking' | 'speaking' | 'overlapping' | 'holding'

interface Callee {
  speaking: boolean
  /** The callee's last speech; `untilMs` is null before the first. */
  sinceMs: number
  untilMs: number | null
  /** The pause before this speech, if it may have parted one turn. */
  pauseMs: number | null
  /** The longest pause after which the callee went on with the same turn, as far as it still counts. */
  wentOnAfterMs: number
  /** The turn's words: settled ones, and those that the ear may still change. */
  settled: string
  partial: string
  /** When the turn's first words came, if no voice had been detected that said them. */
  voicelessMs: number | null
  /** Words of the turn before, answered although the ear had not settled them. */
  answered: Answered | null
  /** Counts the callee's stretches of speech, and so the pauses behind them. */
  pause: number
  /** The words about which a prediction of the turn's end was asked in this pause. */
  predictedText: string | null
  /** The prediction has come, and counts. */
  isPredicted: boolean
  /** The ear owes the rest of the words since then. */
  owedSinceMs: number | null
}

export interface Answered {
  readonly text: string
  /** Settled words ahead of them in their turn. */
  readonly before: string
  /** Turns in which they were answered. */
  readonly turns: number
  /** The callee's stretch of speech in which they were said. */
  readonly pause: number
  /** They gave the consent to be recorded. */
  readonly consent: boolean
}

export interface EarManners {
  readonly settlesWithinMs: number
  /** It tells the end of a turn itself. */
  readonly turns: boolean
}

export interface PendingReply {
  id: number
  cue: Cue
  attempt: 1 | 2
  /** Begun on a likely end of turn; not to be used before the turn is over. */
  early: boolean
  stage: 'asked' | 'ready' | 'failed'
  /** A phrase of the server has bridged the wait for it. */
  bridged: boolean
  closes: EndReason | null
}

/** The agent's current output. */
interface Output {
  id: number
  sinceMs: number
  /** The mind's cue, or null for a phrase of the server. */
  cue: Cue | null
  phrase: Phrase | null
  /** Cannot be interrupted: the disclosure, a message, a last goodbye. */
  protected: boolean
  closes: EndReason | null
}

export type Deadline =
  | 'end_of_turn'
  /** The turn is over but for the words that the ear owes. */
  | 'settling'
  | 'wordless'
  | 'noise'
  | 'interruption'
  | 'resume'
  | 'opening_pause'
  | 'silence'
  | 'reply'
  | 'filler'
  | 'hold'
  | 'parting'
  | 'machine_hold'
  /** The callee is told again that the owner's phone rings. */
  | 'ringing'
  | 'warn'
  | 'goodbye'
  | 'hard_end'

export interface TurnState {
  mode: Mode
  language: string
  limits: TimeLimits
  /** behindUntilMs: it is being replaced (Infinity), or hears again what was missed, which it has done by then. */
  ear: EarManners & { readonly behindUntilMs: number }
  callee: Callee
  reply: PendingReply | null
  output: Output | null
  /** When the callee heard the end of our sound, as far as it was known when they last spoke or an output was played. */
  heardOutMs: number
  /** The output is paused by a suspected interruption. */
  paused: boolean
  /** A machine speaks at the far end: it is not answered like a person. */
  machine: boolean
  /** All parties must agree to a recording, and the callee has not answered yet. */
  consent: 'none' | 'wanted' | 'asked' | 'asked_again'
  /** held: the user has taken over. yielding: they will, once the disclosure was heard. */
  held: boolean
  /** The ear is lost while the user speaks; the agent ends the call when it gets it back. */
  deaf: boolean
  yielding: boolean
  /** The owner's phone. wanted: it is rung once the disclosure was heard. bridged: the owner speaks (held). */
  ringIn: 'none' | 'wanted' | 'ringing' | 'bridged'
  /** A machine was answered; the person behind it has not been greeted yet. */
  awaiting: 'menu' | 'screening' | null
  /** Cues for the mind, asked about as soon as nobody speaks. */
  cues: Cue[]
  /** The goodbye was heard; the call ends with this reason any moment. */
  parting: { reason: EndReason; sinceMs: number } | null
  goodbyesTakenBack: number
  silences: number
  /** The mind expects a silence of this length, until the callee says something. */
  patienceMs: number
  /** The callee asked to hold and has said nothing else since. */
  onHold: boolean
  /** How often a phrase filled the wait for a reply. */
  fillers: number
  failures: number
  ids: number
  deadlines: Map<Deadline, number>
  over: boolean
}

export type MachineCue = Extract<Cue, { type: 'voicemail' | 'menu' | 'screening' }>

export type TurnEvent =
  | { readonly type: 'answered' }
  /** oursUntilMs: when the callee hears the end of our sound so far. */
  | { readonly type: 'speech_started'; readonly sinceMs: number; readonly oursUntilMs: number }
  | { readonly type: 'speech_stopped'; readonly untilMs: number }
  | { readonly type: 'words'; readonly text: string; readonly final: boolean }
  /**
   * The ear has given every word said before the last finalize. isBehind: a new one has more to hear again, of the time
   * before it was ready.
   */
  | { readonly type: 'settled'; readonly isBehind?: boolean }
  | ({ readonly type: 'ear_ready' } & EarManners)
  | { readonly type: 'ear_broken' }
  /** The ear's own end of turn. */
  | { readonly type: 'ear_turn'; readonly state: 'started' | 'eager' | 'resumed' | 'ended' }
  /** The prediction for this pause: silence after which the turn is over. */
  | { readonly type: 'turn_end'; readonly pause: number; readonly waitMs: number }
  | { readonly type: 'digit'; readonly digit: string }
  | { readonly type: 'language'; readonly language: string }
  /** The first sound or deed of a reply can be used. */
  | { readonly type: 'reply_ready'; readonly id: number }
  | { readonly type: 'reply_closes'; readonly id: number; readonly reason: EndReason }
  | { readonly type: 'reply_failed'; readonly id: number }
  /** A reply in use says that the callee wants no more calls. */
  | { readonly type: 'opted_out' }
  /** The callee has heard the whole output, its last sound at `heardMs`: its end may be known later. */
  | { readonly type: 'played'; readonly id: number; readonly heardMs: number }
  | { readonly type: 'instruction'; readonly text: string }
  /** The callee asked for a moment, as the mind understood it. */
  | { readonly type: 'patience'; readonly forMs: number }
  /** Verdict of the machine detector. */
  | { readonly type: 'machine'; readonly suspected: boolean }
  | { readonly type: 'machine_waits' }
  | { readonly type: 'machine_cue'; readonly cue: MachineCue }
  /** Nothing the callee says can be understood any more. */
  | { readonly type: 'ear_lost' }
  /** The call has cost all that it may. */
  | { readonly type: 'time_is_up' }
  | { readonly type: 'taken_over' }
  | { readonly type: 'handed_back' }
  /** Ring the owner's phone and put the callee through to it. */
  | { readonly type: 'ring_in' }
  /** The owner has answered and knows who is on the line. */
  | { readonly type: 'owner_ready' }
  /** The owner's phone was not answered, or is hung up. */
  | { readonly type: 'owner_gone' }
  /** The legs may last until then. */
  | ({ readonly type: 'time_limit' } & Record<'warnAtMs' | 'goodbyeAtMs' | 'hardEndAtMs', number>)
  | { readonly type: 'stop'; readonly reason: 'stopped' | 'interrupted' | 'fax' }
  | { readonly type: 'tick'; readonly side: CalleeSide }

/** The callee's side now. loud: above its noise, speech or not. unheard: its frames are late. */
export type CalleeSide = 'loud' | 'quiet' | 'unheard'

export type TurnEffect =
  /** ahead: the callee's turn may not be over. */
  | { readonly type: 'ask'; readonly id: number; readonly cue: Cue; readonly ahead: boolean }
  /** Throw a reply away that was not used. */
  | { readonly type: 'discard'; readonly id: number }
  | { readonly type: 'play'; readonly id: number }
  | { readonly type: 'speak'; readonly id: number; readonly phrase: Phrase }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }
  /** Stop the output and drop the rest of it. */
  | { readonly type: 'drop' }
  | { readonly type: 'finalize' }
  | { readonly type: 'predict_turn_end'; readonly pause: number; readonly text: string }
  | { readonly type: 'callee_words'; readonly text: string; readonly sinceMs: number }
  | { readonly type: 'callee_turn_over'; readonly untilMs: number }
  /** The ear settled a turn differently after it was over. */
  | { readonly type: 'callee_turn_revised'; readonly text: string }
  | { readonly type: 'opted_out'; readonly quote: string }
  /** Whether the user who takes over is heard now or must wait for the disclosure. */
  | { readonly type: 'person'; readonly heard: boolean }
  | { readonly type: 'ring_owner' }
  /** Hang the owner's phone up. */
  | { readonly type: 'release_owner' }
  /** The callee's answer to being recorded; silence is a no. */
  | { readonly type: 'consent'; readonly given: boolean }
  | { readonly type: 'hang_up'; readonly reason: EndReason }

export function firstState(language: string, limits: TimeLimits, consent: TurnState['consent'] = 'none'): TurnState {
  return {
    mode: 'listening',
    language,
    limits,
    ear: { settlesWithinMs: LATE_WORDS_MS, turns: false, behindUntilMs: 0 },
    callee: {
      speaking: false,
      sinceMs: 0,
      untilMs: null,
      pauseMs: null,
      wentOnAfterMs: 0,
      settled: '',
      partial: '',
      voicelessMs: null,
      answered: null,
      pause: 0,
      predictedText: null,
      isPredicted: false,
      owedSinceMs: null,
    },
    reply: null,
    output: null,
    heardOutMs: 0,
    paused: false,
    machine: false,
    consent,
    held: false,
    deaf: false,
    yielding: false,
    ringIn: 'none',
    awaiting: null,
    cues: [],
    parting: null,
    goodbyesTakenBack: 0,
    silences: 0,
    patienceMs: 0,
    onHold: false,
    fillers: 0,
    failures: 0,
    ids: 0,
    deadlines: new Map(),
    over: false,
  }
}

/** A copy to change. */
export function copyOf(state: TurnState): TurnState {
  const { callee, reply, output, cues, parting, deadlines } = state
  return {
    ...state,
    callee: { ...callee },
    reply: reply && { ...reply },
    output: output && { ...output },
    cues: [...cues],
    parting: parting && { ...parting },
    deadlines: new Map(deadlines),
  }
}

export function nextDeadlineMs(state: TurnState): number | null {
  return earliest(state)?.atMs ?? null
}

export function earliest({ deadlines }: TurnState): { readonly name: Deadline; readonly atMs: number } | null {
  let first: { name: Deadline; atMs: number } | null = null
  for (const [name, atMs] of deadlines) if (first === null || atMs < first.atMs) first = { name, atMs }
  return first
}
