import { callsRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { read } from './queries.ts'
import { useSignedInUser } from './session.ts'

/** The person's calls in progress. The live line keeps the answer in step. */
export function runningQuery(userId: string) {
  return read(callsRoutes.active, { params: { id: userId } })
}

/** undefined while they are not known. */
export function useRunning() {
  const { id } = useSignedInUser()
  return useQuery({ ...runningQuery(id), enabled: false }).data
}

/** Credits that calls in progress hold: as the session told, until what each call holds is known. */
export function useHeldCredits(): number {
  const { creditsHeld } = useSignedInUser()
  const running = useRunning()
  return running ? running.reduce((sum, call) => sum + call.creditsHeld, 0) : creditsHeld
}
