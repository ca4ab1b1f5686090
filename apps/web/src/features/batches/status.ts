import type { BatchStatus } from '@parley/contract'
import type { Tone } from '../../ui/Badge.tsx'

const TONES: Partial<Record<BatchStatus, Tone>> = { running: 'live', done: 'good', paused: 'bad' }

export function toneOf(status: BatchStatus): Tone {
  return TONES[status] ?? 'neutral'
}
