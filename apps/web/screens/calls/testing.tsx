import { type CallDetails, callsRoutes, LIVE_STATUSES, reportsRoutes, systemRoutes, type Turn, type User } from '@parley/contract'
import { afterEach } from 'vitest'
import { aCall, ADA, type FakeApi, listed } from '../testing.tsx'

/** Ada with this many credits. */
export const withCredits = (creditBalance: string, more: Partial<User> = {}): User => ({ ...ADA, creditBalance, ...more })

/** What a page keeps for as long as it lives: the next test has a page of its own. */
afterEach(async () => {
  const [{ queryClient }, { closeCall }, { forgetTyped }, { audio, phone }] = await Promise.all([
    import('../../src/app/App.tsx'),
    import('../../src/features/calls/live/openCall.ts'),
    import('../../src/lib/typed.ts'),
    import('../../src/features/calls/sound/useLine.ts'),
  ])
  closeCall()
  audio.close()
  phone.close()
  // From the second test on: a read that fails is tried again as often as ever, only without the waiting in between.
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
  for (const form of ['quick', 'single.', 'single.+12025550100', 'again.call-1']) forgetTyped(`${ADA.id}.${form}`)
})

const isLive = ({ status }: CallDetails) => LIVE_STATUSES.some((each) => each === status)

/** The account has made these calls, the newest first. */
export function answerCalls(api: FakeApi, calls: () => readonly CallDetails[]): void {
  api.answer(reportsRoutes.calls, () => calls().map(listed))
  api.answer(callsRoutes.active, () => calls().filter(isLive).map(listed))
  api.answer(callsRoutes.get, ({ params }) => {
    const call = calls().find(({ id }) => id === params['id'])
    if (!call) throw new Error(`Nothing was said of the call ${params['id']}.`)
    return call
  })
}

function aTurn(index: number, text: string, change: Partial<Turn> = {}): Turn {
  const startMs = index * 2500
  return { index, speaker: index % 2 === 0 ? 'agent' : 'user', text, startMs, endMs: startMs + 2000, heard: true, ...change }
}

/** A call that somebody has answered a moment ago. */
export function aRunningCall(change: Partial<CallDetails> = {}): CallDetails {
  return aCall({
    status: 'in_progress',
    phase: 'greeting',
    transcript: null,
    summary: null,
    durationSeconds: null,
    creditsCharged: null,
    endReason: null,
    connectedAt: new Date().toISOString(),
    completedAt: null,
    turns: [aTurn(0, 'Hello, this is Parley.')],
    outcomes: [],
    ...change,
  })
}

/** Somebody has no answer from the server: then it says that it is well. */
export function answerHealth(api: FakeApi): void {
  api.send(systemRoutes.health, '{}')
}
