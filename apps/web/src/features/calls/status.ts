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

/** Statuses only ever grow; completed and failed are both the end. */
export function statusRank(status: CallStatus): number {
  return Math.min(CALL_STATUSES.indexOf(status), LIVE_STATUSES.length)
}

/** Its summary and outcomes are still being written: the call has just been completed and has none yet. */
export function isBeingWrittenUp(call: Pick<Call, 'status' | 'summary' | 'completedAt'>, nowMs: number): boolean {
  const endedAgoMs = nowMs - Date.parse(call.completedAt ?? '')
  return call.status === 'completed' && call.summary === null && endedAgoMs < WRITE_UP_MS
}
const WRITE_UP_MS = 60_000

/** Which objective is being talked about, by its place in the list. */
export function currentObjective(call: Pick<Call, 'phase'>): number | undefined {
  const place = /^objective (\d+) of \d+$/.exec(call.phase)?.[1]
  return place === undefined ? undefined : Number(place) - 1
}

/** The stage of a call in the page's own words; one this page does not know is shown as the server says it. */
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
  /** pending: the call still runs and nothing is settled. */
  readonly status: Outcome['status'] | 'pending'
}

/** The objectives in the order they were given, each with what came of it so far. */
export function objectivesOf(call: CallDetails): ObjectiveState[] {
  const unsettled = isLive(call) ? 'pending' : 'open'
  return call.objectives.map((objective) => {
    const outcome = call.outcomes.find((each) => each.objective === objective)
    if (!outcome || (outcome.status === 'open' && isLive(call)))
      return { objective, status: unsettled, quote: null, turn: null }
    return outcome
  })
}

/** Failed in mid-conversation: there are words of it, and somebody who would be called a second time. */
export function isBrokenOff({ status, transcript }: Pick<Call, 'status' | 'transcript'>): boolean {
  return status === 'failed' && transcript !== null && transcript !== ''
}

/** How a call ended, in a sentence: the server's own, or in another language what stands for the reason. */
export function endingText({ endReason, endMessage }: Pick<Call, 'endReason' | 'endMessage'>): string | null {
  return endMessage && saidByServer(endMessage, ({ endings }) => (endReason ? endings[endReason] : endMessage))
}

/** What came of an ended call, in one sentence. */
export function headlineOf(call: CallDetails): string {
  const { outcome } = words().calls
  const settled = settledText(objectivesOf(call))
  if (call.status === 'failed') return [endingText(call) ?? outcome.failed, settled].filter(Boolean).join(' ')
  if (call.objectives.length === 0) return endingText(call) ?? outcome.done
  return settled ?? outcome.noneMet(call.objectives.length)
}

/** Nothing where nothing was met and nothing is on the table. */
function settledText(objectives: readonly ObjectiveState[]): string | null {
  const { outcome } = words().calls
  const [of, met, offers] = [objectives.length, metOf(objectives), offersOf(objectives)]
  if (met === of) return of > 0 ? outcome.allMet(of) : null
  const parts = [met > 0 && outcome.someMet(met, of), offers > 0 && outcome.offers(offers)]
  return parts.filter(Boolean).join(', ') || null
}
