import { QUERY_DEFAULTS, STORED_USER_KEY, type User } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { HttpError, request } from './http.ts'
import { platform } from '../platform/index.ts'
import { keyOf } from './queries.ts'

/** The page requests it at the start; the first screen to mount need not repeat it. */
const JUST_ASKED_MS = 5000

/** The session's user, or null for a visitor. Refetched on window focus, never retried. */
export const sessionQuery = queryOptions<User | null>({
  queryKey: keyOf(accountsRoutes.currentUser),
  queryFn: async ({ signal }) => {
    const user = await askForUser(signal)
    storeUser(user)
    return user
  },
  staleTime: QUERY_DEFAULTS.userStaleMs,
  refetchOnWindowFocus: 'always',
  refetchOnMount: ({ state }) => (Date.now() - state.dataUpdatedAt < JUST_ASKED_MS ? false : 'always'),
  retry: false,
})

async function askForUser(signal: AbortSignal): Promise<User | null> {
  try {
    return userIn(await request(accountsRoutes.currentUser, { signal }))
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) {
      await platform().sessionEnded()
      return null
    }
    throw error
  }
}

/** A backend may wrap the user. */
function userIn(answer: User & { readonly user?: User }): User {
  return answer.user ?? answer
}

/** The session query. `data` is undefined while loading, null for a visitor. */
export function useUser() {
  return useQuery(sessionQuery)
}

/** The last user for whom member screens were drawn. */
let drawnFor: User | undefined

function nowOrLast(user: User | null | undefined): User | undefined {
  drawnFor = user ?? drawnFor
  return drawnFor
}

/**
 * The user of a member screen, guaranteed by the route's gate. A screen still drawing when the session ends keeps the
 * last user until the gate unmounts it.
 */
export function useSignedInUser(): User {
  const { data } = useQuery({ ...sessionQuery, refetchOnMount: false, refetchOnWindowFocus: false })
  const user = nowOrLast(data)
  if (!user) throw new Error('This part of the page needs a signed-in user')
  return user
}

export function useSignIn(): (user: User) => void {
  const client = useQueryClient()
  return (user) => {
    storeUser(user)
    client.setQueryData(sessionQuery.queryKey, user)
  }
}

/** Ends the session; the page starts again at the landing page. */
export function signOut(): void {
  storeUser(null)
  void platform().signOut(accountsRoutes.logout.path)
}

export function changeUser(client: QueryClient, change: Partial<User>): void {
  client.setQueryData(sessionQuery.queryKey, (user) => {
    const changed = user ? { ...user, ...change } : user
    if (changed) storeUser(changed)
    return changed
  })
}

/** Whether somebody was signed in here before; only the server knows the session. */
export function hasStoredUser(): boolean {
  try {
    return localStorage.getItem(STORED_USER_KEY) !== null
  } catch {
    return false
  }
}

function storeUser(user: User | null): void {
  try {
    if (user) localStorage.setItem(STORED_USER_KEY, JSON.stringify(user))
    else localStorage.removeItem(STORED_USER_KEY)
  } catch {
    // Private windows may deny storage; the copy is a convenience only.
  }
}
