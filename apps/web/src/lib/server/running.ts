import { callsRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { read } from './queries.ts'
import { useSignedInUser } from './session.ts'

/** The user's running calls, updated by live messages. */
export function runningQuery(userId: string) {
  return read(callsRoutes.active, { params: { id: userId } })
}

/** undefined while loading. */
export function useRunning() {
  const { id } = useSignedInUser()
  return useQuery({ ...runningQuery(id), enabled: false }).data
}

/** Credits held by running calls: from the session until the calls are loaded. */
export function useHeldCredits(): number {
  const { creditsHeld } = useSignedInUser()
  const running = useRunning()
  return running ? running.reduce((sum, call) => sum + call.creditsHeld, 0) : creditsHeld
}
