import { ROUTES } from '@parley/contract'
import type { Cluster } from '../chaos/cluster/cluster.ts'
import type { Load } from '../chaos/load/load.ts'
import type { Person } from '../world.ts'

/** The words stand in what the load orders. */
const SEARCHES = ['calls?q=order', 'calls?q=about+order+1', 'calls?status=completed']

/** What a person asks for to read of themselves, of a call and of a list. */
function readingsOf({ user }: Person, { accepted }: Pick<Load, 'accepted'>): string[] {
  const newest = (wanted: 'call' | 'batch') =>
    accepted.findLast(({ kind, userId }) => kind === wanted && userId === user.id)?.id ?? 'none'
  const ids = { user: user.id, calls: newest('call'), 'batch-calls': newest('batch') }
  const paths = ROUTES.filter(({ method, access }) => method === 'GET' && access !== 'public').map(({ path }) =>
    Object.entries(ids).reduce(
      (filled, [kind, id]) => filled.replace(`/${kind}/:id`, `/${kind}/${id}`),
      path as string,
    ),
  )
  const searches = SEARCHES.map((search) => `/api/user/${user.id}/${search}`)
  return [...paths.filter((path) => path.startsWith('/api/') && !path.includes('/:')), ...searches]
}

/** Reads all of it from an api. Returns what failed there. */
export async function failedReads({ apiUrls }: Cluster, person: Person, load: Load): Promise<string[]> {
  const failed: string[] = []
  for (const path of readingsOf(person, load)) {
    const headers = { cookie: person.cookie }
    const answer = await fetch(`${apiUrls[0]}${path}`, { headers, redirect: 'manual' })
    const text = await answer.text()
    if (answer.status >= 500) failed.push(`GET ${path} answered ${answer.status}: ${text}`)
  }
  return failed
}
