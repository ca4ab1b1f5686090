import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onConnectionBack, watchNetwork } from '../lib/server/connection.ts'
import { live } from '../lib/live/live.ts'
import { createQueryClient } from '../lib/server/queries.ts'
import { sessionQuery } from '../lib/server/session.ts'
import { ToastHost } from '../ui/toast/ToastHost.tsx'
import type { createAppRouter } from './router.ts'

/** Whatever meets a 401 may mean that the session is over: asking for it again then leads to the landing page. */
export const queryClient = createQueryClient(
  () => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }),
)

watchNetwork()
// Whatever is on the screen is read again, and the line need not wait for its next try.
onConnectionBack(() => {
  live.hurry()
  void queryClient.invalidateQueries()
})

// Asked for while the screen's own code is still on its way.
void queryClient.prefetchQuery(sessionQuery)

export function App({ router }: { readonly router: ReturnType<typeof createAppRouter> }) {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastHost />
    </QueryClientProvider>
  )
}
