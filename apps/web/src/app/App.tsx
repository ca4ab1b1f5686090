import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { onConnectionBack, watchNetwork } from '../lib/connection.ts'
import { live } from '../lib/live.ts'
import { createQueryClient } from '../lib/queries.ts'
import { sessionQuery } from '../lib/session.ts'
import { ToastHost } from '../ui/ToastHost.tsx'
import { router } from './router.ts'

/** A read that meets a 401 means the session is over: asking for it again leads to the landing page. */
const queryClient = createQueryClient(() => void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey }))

watchNetwork()
// Whatever is on the screen is read again, and the line need not wait for its next try.
onConnectionBack(() => {
  live.hurry()
  void queryClient.invalidateQueries()
})

// Asked for while the screen's own code is still on its way.
void queryClient.prefetchQuery(sessionQuery)

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <ToastHost />
    </QueryClientProvider>
  )
}
