import type { Batch, BatchStatus } from '@parley/contract'
import { saidByServer } from '../../words/index.ts'
import type { Tone } from '../../ui/Badge.tsx'

const TONES: Partial<Record<BatchStatus, Tone>> = { running: 'live', done: 'good', paused: 'bad' }

export function toneOf(status: BatchStatus): Tone {
  return TONES[status] ?? 'neutral'
}

/** Why a batch is paused or what it waits for, from the server. */
export function messageOf({
  status,
  pausedBy,
  statusMessage,
}: Pick<Batch, 'status' | 'pausedBy' | 'statusMessage'>): string | null {
  if (!statusMessage) return null
  return saidByServer(statusMessage, ({ batchPaused, batchStopped, batchWaits }) => {
    if (status === 'stopped') return batchStopped
    return status === 'paused' && pausedBy ? batchPaused[pausedBy] : batchWaits
  })
}
