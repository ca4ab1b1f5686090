import type { Call, CallStatus } from '@parley/contract'
import { useWords } from '../../lib/words/index.ts'
import { Badge, type Tone } from '../../ui/Badge.tsx'
import { isLive } from './status.ts'

const TONES: Partial<Record<CallStatus, Tone>> = {
  ringing: 'live',
  connected: 'live',
  in_progress: 'live',
  completed: 'good',
  failed: 'bad',
}

/** A status this page does not know comes from a newer server and is shown as it is. */
export function StatusBadge({ call }: { readonly call: Pick<Call, 'status'> }) {
  const { statuses } = useWords().calls
  return (
    <Badge tone={TONES[call.status] ?? 'neutral'} pulse={isLive(call)}>
      {statuses[call.status] ?? call.status}
    </Badge>
  )
}
