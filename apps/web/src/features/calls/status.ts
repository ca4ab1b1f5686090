import {
  CALL_STATUSES,
  LIVE_STATUSES,
  PHASES,
  type Call,
  type CallDetails,
  type CallStatus,
  type Outcome,
} from '@parley/contract'
import { metOf, offersOf } from '../../lib/format/outcomes.ts'
import { saidByServer, words } from '../../words/index.ts'

export function isLive(call: Pick<Call, 'status'>): boolean {
  return LIVE_STATUSES.some((status) => status === call.status)
}

/** Statuses only move forward; completed and failed are both final. */
export function statusRank(status: CallStatus): number {
  return Math.min(CALL_STATUSES.indexOf(status), LIVE_STATUSES.length)
}

/** Completed a moment ago, without summary and outcomes yet. */
export function isBeingWrittenUp(call: Pick<Call, 'status' | 'summary' | 'completedAt'>, nowMs: number): boolean {
  const endedAgoMs = nowMs - Date.parse(call.completedAt ?? '')
  return call.status === 'completed' && call.summary === null && endedAgoMs < WRITE_UP_MS
}
const WRITE_UP_MS = 60_000

/** The index of the objective being talked about. */
export function currentObjective(call: Pick<Call, 'phase'>): number | undefined {
  const place = /^objective (\d+) of \d+$/.exec(call.phase)?.[1]
  return place === undefined ? undefined : Number(place) - 1
}

/** The label of a phase; an unknown one is shown raw. */
export function phaseText(call: Pick<Call, 'phase' | 'objectives'>): string {
  const { phases, endings } = words().calls
  const objective = call.objectives[currentObjective(call) ?? -1]
  if (objective !== undefined) return phases.objective(objective)
  const stage = STAGES.find((key) => PHASES[key] === call.phase)
  if (stage) return phases[stage]
  return Object.entries(endings).find(([ending]) => call.phase === `ended: ${ending}`)?.[1] ?? call.phase
}
const STAGES = Object.keys(PHASES).filter((key): key is keyof typeof PHASES => key in PHASES)

export interface ObjectiveState extends Omit<Outcome, 'status'> {
  /** pending: the call runs and the objective is not settled. */
  readonly status: Outcome['status'] | 'pending'
}

/** The objectives in their order, each with its outcome so far. */
export function objectivesOf(call: CallDetails): ObjectiveState[] {
  const unsettled = isLive(call) ? 'pending' : 'open'
  return call.objectives.map((objective) => {
    const outcome = call.outcomes.find((each) => each.objective === objective)
    if (!outcome || (outcome.status === 'open' && isLive(call)))
      return { objective, status: unsettled, quote: null, turn: null }
    return outcome
  })
}

/** Failed after the callee was spoken to: it has a transcript, and calling again needs confirmation. */
export function isBrokenOff({ status, transcript }: Pick<Call, 'status' | 'transcript'>): boolean {
  return status === 'failed' && transcript !== null && transcript !== ''
}

/** How a call ended, in a sentence: the server's message, or a translation for the end reason. */
export function endingText({ endReason, endMessage }: Pick<Call, 'endReason' | 'endMessage'>): string | null {
  return endMessage && saidByServer(endMessage, ({ endings }) => (endReason ? endings[endReason] : endMessage))
}

/** The outcome of an ended call in one sentence. */
export function headlineOf(call: CallDetails): string {
  const { outcome } = words().calls
  const settled = settledText(objectivesOf(call))
  if (call.status === 'failed') return [endingText(call) ?? outcome.failed, settled].filter(Boolean).join(' ')
  if (call.objectives.length === 0) return endingText(call) ?? outcome.done
  return settled ?? outcome.noneMet(call.objectives.length)
}

/** Empty without met objectives and offers. */
function settledText(objectives: readonly ObjectiveState[]): string | null {
  const { outcome } = words().calls
  const [of, met, offers] = [objectives.length, metOf(objectives), offersOf(objectives)]
  if (met === of) return of > 0 ? outcome.allMet(of) : null
  const parts = [met > 0 && outcome.someMet(met, of), offers > 0 && outcome.offers(offers)]
  return parts.filter(Boolean).join(', ') || null
}
