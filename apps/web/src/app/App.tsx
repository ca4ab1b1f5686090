import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onConnectionBack, watchNetwork } from '../lib/server/connection.ts'
import { live } from '../lib/live/live.ts'
import { createQueryClient } from '../lib/server/queries.ts'
import { sessionQuery } from '../lib/server/session.ts'
import { toast } from '../ui/toast/toast.ts'
import { ToastHost } from '../ui/toast/ToastHost.tsx'
import { words } from '../words/index.ts'
import type { createAppRouter } from './router.ts'

/** A 401 may mean that the session ended: refetch it; the gate then leads to the landing page. */
export const queryClient = createQueryClient(
  () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
)

watchNetwork()
// After a reconnect: refetches what is shown, and reconnects the socket at once.
onConnectionBack(() => {
  live.hurry()
  void queryClient.invalidateQueries()
})

/** Requests the session while the screen's code is still loading. */
export function prefetchSession(): void {
  void queryClient.prefetchQuery(sessionQuery)
}

/** A file that the user asked for could not be loaded or shared. */
export function announceFailure(): void {
  const { common } = words()
  toast({ tone: 'error', title: common.loadFailed, description: common.loadFailedHint })
}

export function App({ router }: { readonly router: ReturnType<typeof createAppRouter> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastHost />
    </QueryClientProvider>
  )
}
