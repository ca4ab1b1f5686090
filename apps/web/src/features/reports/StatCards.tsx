import type { UserStats } from '@parley/contract'
import { reportsRoutes } from '@parley/contract/page'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count, duration, percent } from '../../lib/format/format.ts'
import { read } from '../../lib/server/queries.ts'
import { useSignedInUser } from '../../lib/server/session.ts'
import { useWords } from '../../words/index.ts'
import { ErrorState, Skeleton } from '../../ui/states.tsx'

/** Four numbers, each with a fitting drawing. */
export function StatCards() {
  const { stats: words } = useWords().reports
  const { id, creditBalance } = useSignedInUser()
  const { data, isError, isFetching, refetch } = useQuery(read(reportsRoutes.stats, { params: { id } }))
  if (isError && !data)
    return <ErrorState title={words.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />
  return (
    <section aria-label={words.label} aria-busy={!data}>
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4 xl:grid-cols-2">
        <Stat name={words.totalCalls}>{data && <Figure>{count(data.totalCalls)}</Figure>}</Stat>
        <Stat name={words.successRate} aside={<Ring share={(data?.successRate ?? 0) / 100} />}>
          {data && <Figure>{percent(data.successRate)}</Figure>}
        </Stat>
        <Stat name={words.avgDuration}>{data && <Figure>{<Units text={duration(data.avgDuration)} />}</Figure>}</Stat>
        <Stat name={words.creditsUsed} below={<Supply stats={data} left={Number(creditBalance)} />}>
          {data && <Figure>{count(data.creditsUsed)}</Figure>}
        </Stat>
      </dl>
    </section>
  )
}

interface StatProps {
  readonly name: string
  readonly aside?: ReactNode
  readonly below?: ReactNode
  /** The number; a skeleton while undefined. */
  readonly children: ReactNode
}

function Stat({ name, aside, below, children }: StatProps) {
  return (
    <div className="relative flex min-h-27 flex-col justify-between gap-3 overflow-hidden rounded-base border border-line bg-surface p-4 shadow-soft">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="flex items-end justify-between gap-2">
        {children || <Skeleton className="my-0.5 h-8 w-16" />}
        {aside}
      </dd>
      {below}
    </div>
  )
}

function Figure({ children }: { readonly children: ReactNode }) {
  return <span className="tabular text-xl leading-9 font-semibold whitespace-nowrap">{children}</span>
}

/** A duration with its units in small type. */
function Units({ text }: { readonly text: string }) {
  return text.split(/([a-z]+)/).map((part) =>
    /[a-z]/.test(part) ? (
      <span key={part} className="text-base font-medium text-muted">
        {part}
      </span>
    ) : (
      part
    ),
  )
}

const RADIUS = 15
const ROUND = 2 * Math.PI * RADIUS

function Ring({ share }: { readonly share: number }) {
  return (
    <svg viewBox="0 0 36 36" className="-my-1 size-11 -rotate-90" aria-hidden="true">
      <circle cx="18" cy="18" r={RADIUS} fill="none" strokeWidth="5" className="stroke-line" />
      <circle
        cx="18"
        cy="18"
        r={RADIUS}
        fill="none"
        strokeWidth="5"
        strokeLinecap="round"
        strokeDasharray={`${share * ROUND} ${ROUND}`}
        className={share > 0 ? 'stroke-fill transition-[stroke-dasharray] duration-200' : 'stroke-transparent'}
      />
    </svg>
  )
}

/** The used share of all credits: the bar at the card's bottom. */
function Supply({ stats, left }: { readonly stats: UserStats | undefined; readonly left: number }) {
  const used = stats?.creditsUsed ?? 0
  const share = used + left > 0 ? used / (used + left) : 0
  return (
    <span aria-hidden="true" className="absolute inset-x-0 bottom-0 h-1.5 bg-line">
      <span
        className="block h-full origin-left bg-fill transition-transform duration-200"
        style={{ transform: `scaleX(${share})` }}
      />
    </span>
  )
}
