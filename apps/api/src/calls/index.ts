import { dialVerification } from './callers/dial.ts'
import { forgetVerifications, verifyJob } from './callers/verification.ts'
import { askCosts, COSTS_EVERY_MS } from './costs.ts'
import { recordMany } from './facts.ts'
import { createHooks } from '../platform/hooks.ts'
import { createTogether } from '../platform/requests/together.ts'
import { settleDeadNodes } from './nodes/deaths.ts'
import { release } from './nodes/leases.ts'
import { wakeNext } from './nodes/line.ts'
import { WATCH_EVERY_MS, watchLine } from './nodes/watch.ts'
import { dialCall } from './placing/dial.ts'
import { dialJob } from './placing/job.ts'
import { eraseFiles, eraseRecordingsJob } from './recordings.ts'
import { reconcile, RECONCILE_EVERY_MS } from './reconcile.ts'
import type { CallsRoom } from './room.ts'
import { tokensOfCall } from './tokens.ts'
import { Previews } from './previews.ts'
import { createVoice } from './voice.ts'

export { endCalls, eraseWords } from './erasure.ts'
export { allNumbers, changeOwned } from './callers/numbers.ts'
export { changeCall } from './change.ts'
export { costReport } from './costs.ts'
export { batchPlaces } from './nodes/places.ts'
export { livingVoiceNodes } from './nodes/registry.ts'
export { limitSecondsOf, longestLifeMs } from './placing/limits.ts'
export { ringingMessages } from './sound.ts'
export { type Begun, callsOfBatch } from './of-batch.ts'
export { activitiesOf, placeForBatch } from './placing/place.ts'
export { callFiles } from './personal.ts'
export { outcomesOf, ownerOfCall, readCall, toCall } from './read.ts'
export { eraseAllRecordings, recordingFiles } from './recordings.ts'
export { endRestoredCalls } from './restored.ts'
export { announce } from './room.ts'
export { summarise } from './summarise.ts'
export { registerCalls, registerNodes, registerVoiceReports } from './routes.ts'
export { newestDuplicate } from './placing/duplicates.ts'
export { addCallFigures } from './nodes/figures.ts'
export { fenceShown } from './tokens.ts'
export type { CallRow } from './schema.ts'
export type { CallsRoom, ErasedWords } from './room.ts'

const FORGET_EVERY_MS = 3_600_000
/** Concurrent dial jobs per process. */
const DIALED_AT_ONCE = 8
/** Transactions that end calls, per process, and calls in one of them: what comes while all run is grouped. */
const ENDINGS = { atOnce: 8, size: 16 }

/** The room with its jobs: dialing placed calls and reconciling silent ones. */
export function createCalls(given: Omit<CallsRoom, 'endings' | 'hooks' | 'nodes' | 'previews' | 'voice'>): CallsRoom {
  // Apart: a carrier that does not answer about a dead node's calls holds up nobody's place.
  const line = given.jobs.every('calls.nodes', WATCH_EVERY_MS, () => watchLine(room))
  const deaths = given.jobs.every('calls.deaths', WATCH_EVERY_MS, () => settleDeadNodes(room))
  const voice = createVoice(given.config.voice, given.db, (callId) => tokensOfCall(given, callId))
  const room: CallsRoom = {
    ...given,
    voice,
    previews: new Previews(),
    hooks: createHooks(),
    endings: createTogether({
      run: (reports) => recordMany(room, reports),
      keyOf: ({ callId }) => callId,
      ...ENDINGS,
    }),
    nodes: {
      soon() {
        deaths.soon()
        line.soon()
      },
    },
  }
  room.hooks.on({
    async ended(tx, { id }) {
      await release(tx, id)
      await wakeNext(room.jobs, tx)
    },
  })
  room.jobs.work(dialJob, ({ callId }) => dialCall(room, callId), {
    concurrency: DIALED_AT_ONCE,
    isUrgent: true,
  })
  room.jobs.work(verifyJob, ({ id }) => dialVerification(room, id))
  room.jobs.every('calls.verifications', FORGET_EVERY_MS, () => forgetVerifications(room.db))
  room.jobs.work(eraseRecordingsJob, ({ userId, callIds }) => eraseFiles(room, userId, callIds))
  room.jobs.every('calls.costs', COSTS_EVERY_MS, (run) => askCosts(room, new Date(), run))
  room.jobs.every('calls.reconcile', RECONCILE_EVERY_MS, (run) => reconcile(room, new Date(), run))
  return room
}
