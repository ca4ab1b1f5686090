import type { Call, CallStatus, EndReason } from '@parley/contract'
import { useWords } from '../../words/index.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { isLive } from './status.ts'

const TONES: Partial<Record<CallStatus, Tone>> = {
  ringing: 'live',
  connected: 'live',
  in_progress: 'live',
  completed: 'good',
  failed: 'bad',
}

/** Completed without a conversation: the label stays, without the colour of success. */
const UNHEARD: readonly (EndReason | null)[] = [
  'voicemail',
  'screened',
  'refused_to_talk',
  'opted_out',
  'silence',
  'stopped',
]

/** An unknown status comes from a newer server and is shown raw. A test call is marked wherever its status stands. */
export function StatusBadge({ call }: { readonly call: Pick<Call, 'status' | 'endReason' | 'isTest'> }) {
  const { statuses, testCall } = useWords().calls
  const badge = (
    <Badge tone={toneOf(call)} pulse={isLive(call)}>
      {statuses[call.status] ?? call.status}
    </Badge>
  )
  if (!call.isTest) return badge
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {badge}
      <Badge>{testCall}</Badge>
    </span>
  )
}

function toneOf({ status, endReason }: Pick<Call, 'status' | 'endReason'>): Tone {
  if (status === 'completed' && UNHEARD.includes(endReason)) return 'neutral'
  return TONES[status] ?? 'neutral'
}
