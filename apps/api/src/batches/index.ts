import type { CallsRoom } from '../calls/index.ts'
import type { ConsentRoom } from '../consent/index.ts'
import { createHooks } from '../platform/hooks.ts'
import type { Jobs } from '../platform/jobs.ts'
import { callEnded, cancelWaiting } from './results/ended.ts'
import { wake } from './pacing/agenda.ts'
import { Pacer, sweepIncoming } from './pacing/pacer.ts'
import { createTelling } from './results/progress.ts'
import type { BatchesRoom } from './room.ts'
import { openSlots } from './pacing/slots.ts'

export type { BatchesRoom } from './room.ts'
export { stopBatches } from './life.ts'
export { addListFigures } from './pacing/figures.ts'
export { batchFiles } from './personal.ts'
export { pauseRestored } from './restored.ts'
export { registerBatches } from './routes.ts'

const ROUND_EVERY_MS = 1000
const SWEEP_EVERY_MS = 3_600_000

/** The room with its jobs; batches continue after a crash or restart of the process. */
export function createBatches(
  { jobs, ...given }: Pick<BatchesRoom, 'bus' | 'config' | 'db' | 'disk' | 'log'> & { readonly jobs: Jobs },
  { calls, consent }: { readonly calls: CallsRoom; readonly consent: ConsentRoom },
): BatchesRoom {
  const tell = createTelling(given)
  let slots: Promise<void> | undefined
  const pacing = jobs.every('batches.pace', ROUND_EVERY_MS, async (run) => {
    slots ??= openSlots(given.db, given.config.batchConcurrency ?? 0)
    await slots.catch((error: unknown) => {
      slots = undefined
      throw error
    })
    await pacer.round(run)
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
      const hasWoken = await wake(tx, call.userId)
      // The slot becomes free with the commit. If this round runs before it, the next regular round follows within 1 s.
      if (call.batchId !== null || hasWoken) setTimeout(() => room.nudge(), NUDGE_AFTER_MS).unref()
    },
    optedOut: (tx, call) => cancelWaiting(room, tx, call.userId, [call.callee]),
  })
  consent.hooks.on({ listed: (tx, userId, phones) => cancelWaiting(room, tx, userId, phones) })
  return room
}

const NUDGE_AFTER_MS = 20
