import type { Call } from '@parley/contract'
import { CircleCheck, CircleDashed, CirclePause, CircleX } from 'lucide-react'
import { classes } from '../../lib/classes.ts'
import { useWords } from '../../words/index.ts'
import { valueText } from '../../lib/format/values.ts'
import type { ObjectiveState } from './status.ts'
import { withPrivateNames } from './vault/privateNames.ts'

const ICONS = {
  met: <CircleCheck className="text-brand" aria-hidden="true" />,
  met_within_limits: <CircleCheck className="text-brand" aria-hidden="true" />,
  offered: <CirclePause className="text-live" aria-hidden="true" />,
  refused: <CircleX className="text-danger" aria-hidden="true" />,
  open: <CircleDashed className="text-muted" aria-hidden="true" />,
  pending: <CircleDashed className="text-muted" aria-hidden="true" />,
} as const

interface ObjectivesProps {
  readonly objectives: readonly ObjectiveState[]
  /** Of the call, whose values stand masked in quotes and offers. */
  readonly vault?: Call['vault']
  /** The index of the objective being talked about. */
  readonly current?: number | undefined
  /** Scrolls to the quoted turn. */
  readonly onQuote?: (turn: number) => void
}

/** Each objective with its outcome and quote. */
export function Objectives({ objectives, vault = [], current, onQuote }: ObjectivesProps) {
  const { outcome, live } = useWords().calls
  const labels = { ...outcome.states, pending: live.pending }
  return (
    <ul className="grid gap-4">
      {objectives.map(({ objective, status, quote, turn, offer, value, earlierRule }, place) => (
        <li key={objective} className="flex gap-3">
          <span
            className={classes(
              'mt-0.5 *:size-5',
              status === 'pending' && place === current && 'animate-breathe *:text-live',
            )}
          >
            {ICONS[status]}
          </span>
          <div className="min-w-0 flex-1">
            <p>
              <span className="sr-only">{place === current && status === 'pending' ? live.now : labels[status]}: </span>
              <span className={classes(status !== 'pending' && 'font-medium')}>{objective}</span>
              {status !== 'met' && status !== 'pending' && (
                <span aria-hidden="true" className="text-muted">
                  {' '}
                  · {labels[status]}
                </span>
              )}
            </p>
            {offer && status === 'met_within_limits' && (
              <p className="mt-0.5 text-sm">{outcome.agreed(withPrivateNames(offer, vault), objective)}</p>
            )}
            {offer && status === 'offered' && (
              <p className="mt-0.5 text-sm text-live">{outcome.offer(withPrivateNames(offer, vault))}</p>
            )}
            {value && status !== 'pending' && <p className="tabular mt-0.5 text-sm">{valueText(value)}</p>}
            {quote && <Quote quote={withPrivateNames(quote, vault)} turn={turn} onQuote={onQuote} />}
            {earlierRule && <p className="mt-0.5 text-sm text-muted">{outcome.earlierRule}</p>}
          </div>
        </li>
      ))}
    </ul>
  )
}

interface QuoteProps {
  readonly quote: string
  readonly turn: number | null
  readonly onQuote: ((turn: number) => void) | undefined
}

function Quote({ quote, turn, onQuote }: QuoteProps) {
  const { outcome } = useWords().calls
  if (turn === null || !onQuote) return <q className="mt-0.5 block text-sm text-muted">{quote}</q>
  return (
    <button
      type="button"
      title={outcome.jump}
      className="link mt-0.5 min-h-6 text-left text-sm"
      onClick={() => onQuote(turn)}
    >
      <q>{quote}</q>
    </button>
  )
}
