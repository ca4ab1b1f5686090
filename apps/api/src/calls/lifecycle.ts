import {
  ANSWERED_END_REASONS,
  type CallFigures,
  type CallQuestion,
  type CarrierFacts,
  CALL_STATUSES,
  type CallStatus,
  type CallSummary,
  endedPhase,
  type EndReason,
  type Outcome,
  PHASES,
  type ReportedFact,
  type Telling,
  type Turn,
} from '@parley/contract'

import type { CallLeg } from './schema.ts'

// The lifecycle of a call as a pure state machine: (progress, fact) → new progress and moves.

/** The state of a call. */
export interface Progress {
  readonly status: CallStatus
  readonly phase: string
  /** Number of the last fact taken. */
  readonly factsTaken: number
  /** Call time of the answer, in ms; null before it. */
  readonly answeredCallMs: number | null
  readonly lastCallMs: number
  /** When the status or phase last changed. */
  readonly stageAt: Date
  /** Beside the first one. */
  readonly legs: readonly CallLeg[]
}

export interface Ending {
  readonly reason: EndReason
  readonly message: string
  /** Whole seconds of the first leg, rounded up. */
  readonly connectedSeconds: number
  readonly at: Date
  /** What the carrier said, where the voice service told it. */
  readonly carrier?: CarrierFacts
}

export type Move =
  | { readonly kind: 'stage'; readonly status: CallStatus; readonly phase: string; readonly at: Date }
  | { readonly kind: 'placed'; readonly carrierCallId: string }
  | { readonly kind: 'answered'; readonly at: Date }
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'outcomes'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'opted_out'; readonly quote: string }
  | { readonly kind: 'question'; readonly event: CallQuestion }
  | { readonly kind: 'told'; readonly telling: Telling }
  | { readonly kind: 'ended'; readonly ending: Ending }
  | { readonly kind: 'summary'; readonly summary: CallSummary }
  | { readonly kind: 'figures'; readonly figures: CallFigures }

export interface Step {
  readonly progress: Progress
  readonly moves: readonly Move[]
}

export function newProgress(at: Date): Progress {
  const nothing = { factsTaken: 0, answeredCallMs: null, lastCallMs: 0, legs: [] }
  return { status: 'initiated', phase: PHASES.queued, stageAt: at, ...nothing }
}

export function isOver({ status }: Pick<Progress, 'status'>): boolean {
  return status === 'completed' || status === 'failed'
}

/** Applies the next fact. A repeated or out-of-order fact changes nothing. */
export function takeFact(before: Progress, fact: ReportedFact): Step {
  if (fact.seq !== before.factsTaken + 1) return { progress: before, moves: [] }
  const progress = { ...before, factsTaken: fact.seq, lastCallMs: Math.max(before.lastCallMs, fact.callMs) }
  const at = new Date(fact.at)
  switch (fact.type) {
    case 'dialing':
      return reach(progress, 'dialing', PHASES.dialing, at)
    case 'placed':
      return { progress, moves: [{ kind: 'placed', carrierCallId: fact.carrierCallId }] }
    case 'ringing':
      return reach(progress, 'ringing', PHASES.ringing, at)
    case 'answered':
      return answer(progress, at)
    case 'phase':
      return enter(progress, fact.phase, at)
    case 'turn':
      return speak(progress, fact.turn, at)
    case 'outcomes':
      return { progress, moves: [{ kind: 'outcomes', outcomes: fact.outcomes }] }
    case 'leg':
      return { progress: isOver(progress) ? progress : { ...progress, legs: withLeg(progress.legs, fact) }, moves: [] }
    case 'opted_out':
      return { progress, moves: [{ kind: 'opted_out', quote: fact.quote }] }
    case 'asks_owner':
      return { progress, moves: isOver(progress) ? [] : [question(progress, fact.question, fact.at)] }
    case 'told': {
      const { name, by, turn, at: time } = fact
      return { progress, moves: [{ kind: 'told', telling: { name, by, turn, at: time } }] }
    }
    case 'ended':
      return end(progress, {
        reason: fact.reason,
        message: fact.message,
        connectedSeconds: Math.ceil(fact.connectedSeconds),
        at,
        ...(fact.carrier && { carrier: fact.carrier }),
      })
    case 'wrapped_up':
      return {
        progress,
        moves: [
          { kind: 'outcomes', outcomes: fact.outcomes },
          { kind: 'summary', summary: fact.summary },
          ...(fact.figures ? [{ kind: 'figures' as const, figures: fact.figures }] : []),
        ],
      }
    case 'unknown':
      return { progress, moves: [] }
  }
}

function question({ status, phase }: Progress, asked: string, at: string): Move {
  return { kind: 'question', event: { status, phase, at, question: asked } }
}

function withLeg(legs: readonly CallLeg[], { leg, carrierCallId, connectedSeconds, end, carrier }: CallLeg): CallLeg[] {
  const whole = connectedSeconds === null ? null : Math.ceil(connectedSeconds)
  const told = { ...(end && { end }), ...(carrier && { carrier }) }
  return [...legs.filter((each) => each.leg !== leg), { leg, carrierCallId, connectedSeconds: whole, ...told }]
}

/** Without the carrier's seconds. */
export type EndingUnheard = Omit<Ending, 'connectedSeconds'> & Partial<Pick<Ending, 'connectedSeconds'>>

/**
 * Ends a call without an `ended` fact. Unless the carrier said its connected time, that runs from the answer to the
 * last fact.
 */
export function endUnheard(progress: Progress, { connectedSeconds, ...ending }: EndingUnheard): Step {
  const connectedMs = progress.answeredCallMs === null ? 0 : progress.lastCallMs - progress.answeredCallMs
  return end(progress, { ...ending, connectedSeconds: connectedSeconds ?? Math.ceil(connectedMs / 1000) })
}

/** Moves to a later status; ignores an earlier one and any after the end. */
function reach(progress: Progress, status: CallStatus, phase: string, at: Date): Step {
  const goesOn = CALL_STATUSES.indexOf(status) > CALL_STATUSES.indexOf(progress.status)
  return isOver(progress) || !goesOn ? { progress, moves: [] } : stage(progress, status, phase, at)
}

/** Changes what a person is told of the stage, within the same status. */
export function enter(progress: Progress, phase: string, at: Date): Step {
  return isOver(progress) || phase === progress.phase
    ? { progress, moves: [] }
    : stage(progress, progress.status, phase, at)
}

/** Times of one call never decrease, even if the clocks of two machines differ. */
function stage(progress: Progress, status: CallStatus, phase: string, at: Date): Step {
  const stageAt = at < progress.stageAt ? progress.stageAt : at
  return { progress: { ...progress, status, phase, stageAt }, moves: [{ kind: 'stage', status, phase, at: stageAt }] }
}

function answer(before: Progress, at: Date): Step {
  if (isOver(before) || before.answeredCallMs !== null) return { progress: before, moves: [] }
  const { progress, moves } = reach({ ...before, answeredCallMs: before.lastCallMs }, 'connected', PHASES.greeting, at)
  return { progress, moves: [...moves, { kind: 'answered', at: progress.stageAt }] }
}

/** The first turn begins in_progress; turns after the end still join the transcript. */
function speak(before: Progress, turn: Turn, at: Date): Step {
  const answered = answer(before, at)
  const { progress, moves } = reach(answered.progress, 'in_progress', answered.progress.phase, at)
  return { progress, moves: [...answered.moves, ...moves, { kind: 'turn', turn }] }
}

const COMPLETING: ReadonlySet<EndReason> = new Set(ANSWERED_END_REASONS)

/** Whether a call with this end reason counts as completed; any other has failed. */
export function isCompleting(reason: EndReason): boolean {
  return COMPLETING.has(reason)
}

function end(before: Progress, told: Ending): Step {
  if (isOver(before)) return { progress: before, moves: [] }
  const answered = before.answeredCallMs !== null || told.connectedSeconds > 0
  const reason =
    answered || !isCompleting(told.reason) ? told.reason : told.reason === 'stopped' ? 'canceled' : 'no_answer'
  const { progress, moves } = stage(before, isCompleting(reason) ? 'completed' : 'failed', endedPhase(reason), told.at)
  return { progress, moves: [...moves, { kind: 'ended', ending: { ...told, reason, at: progress.stageAt } }] }
}
