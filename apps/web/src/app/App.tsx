import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onConnectionBack, watchNetwork } from '../lib/server/connection.ts'
import { live } from '../lib/live/live.ts'
import { createQueryClient } from '../lib/server/queries.ts'
import { sessionQuery } from '../lib/server/session.ts'
import { ToastHost } from '../ui/toast/ToastHost.tsx'
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

// Requested while the screen's code is still loading.
void queryClient.prefetchQuery(sessionQuery)

export function App({ router }: { readonly router: ReturnType<typeof createAppRouter> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastHost />
    </QueryClientProvider>
  )
}
