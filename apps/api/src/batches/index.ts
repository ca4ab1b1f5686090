import type { CallsRoom } from '../calls/index.ts'
import type { ConsentRoom } from '../consent/index.ts'
import { createHooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import { callEnded, cancelWaiting } from './results/ended.ts'
import { Pacer, sweepIncoming } from './pacing/pacer.ts'
import { createTelling } from './results/progress.ts'
import type { BatchesRoom } from './room.ts'
import { openSlots } from './pacing/slots.ts'

export type { BatchesRoom } from './room.ts'
export { stopBatches } from './life.ts'
export { batchFiles } from './personal.ts'
export { pauseRestored } from './restored.ts'
export { registerBatches } from './routes.ts'

const ROUND_EVERY_MS = 1000
const SWEEP_EVERY_MS = 3_600_000

/** The room with its work: lists that go on by themselves, whatever becomes of the process. */
export function createBatches(
  { jobs, ...given }: Pick<BatchesRoom, 'bus' | 'config' | 'db' | 'disk' | 'log'> & { readonly jobs: Jobs },
  { calls, consent }: { readonly calls: CallsRoom; readonly consent: ConsentRoom },
): BatchesRoom {
  const tell = createTelling(given)
  let lines: Promise<void> | undefined
  const pacing = jobs.every('batches.pace', ROUND_EVERY_MS, async () => {
    lines ??= openSlots(given.db, given.config.batchConcurrency)
    await lines.catch((error: unknown) => {
      lines = undefined
      throw error
    })
    await pacer.round()
  })
  const room: BatchesRoom = {
    ...given,
    calls,
    since: new Date(),
    hooks: createHooks(),
    tell,
    nudge: () => pacing.soon(),
  }
  const pacer = new Pacer(room)
  jobs.every('batches.sweep', SWEEP_EVERY_MS, () => sweepIncoming(room.db))
  calls.hooks.on({
    async ended(tx, call) {
      await callEnded(room, tx, call)
      // Once the transaction is through, its line is free; a round that comes too early is followed by the next.
      if (call.batchId !== null) setTimeout(() => room.nudge(), NUDGE_AFTER_MS).unref()
    },
    optedOut: (tx, call) => cancelWaiting(room, tx, call.userId, [call.callee]),
  })
  consent.hooks.on({ listed: (tx, userId, phones) => cancelWaiting(room, tx, userId, phones) })
  return room
}

const NUDGE_AFTER_MS = 20
