import { systemRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import { read } from '../../../lib/server/queries.ts'
import { Notice } from '../../../ui/Notice.tsx'
import { useWords } from '../../../words/index.ts'

/** The server keeps its answer for some seconds itself. */
const FRESH_MS = 15_000
/** While there is an obstacle: it goes away by itself when it is mended. */
const AGAIN_MS = 15_000

/** Says that calls cannot be placed before somebody fills in the form; nothing while they can, or it is not known. */
export function PhoneNotice() {
  const words = useWords().calls.preflight
  const { data } = useQuery({
    ...read(systemRoutes.preflight, {}),
    staleTime: FRESH_MS,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.ready === false ? AGAIN_MS : false),
  })
  if (!data || data.obstacle === null) return null
  return (
    <Notice tone="info" className="mb-6">
      <p>{words[data.obstacle]}</p>
      {data.testNumbers && <p className="mt-1 text-sm text-muted">{words.testNumbers}</p>}
    </Notice>
  )
}
