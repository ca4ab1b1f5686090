import { totalCredits, type CreditPackage } from '@parley/contract'
import type { ReactNode } from 'react'
import { count, dollars } from '../../../../lib/format/format.ts'
import { useWords } from '../../../../words/index.ts'
import { Card } from '../../../../ui/Card.tsx'

interface PurchaseSummaryProps {
  readonly item: CreditPackage
  readonly title: string
  readonly creditsLabel: string
}

/** The purchase and its price. */
export function PurchaseSummary({ item, title, creditsLabel }: PurchaseSummaryProps) {
  const { summary } = useWords().credits
  return (
    <Card aria-label={title}>
      <h2 className="text-sm text-muted">{title}</h2>
      <p className="mt-1 text-lg font-semibold">{item.name}</p>
      <dl className="tabular mt-4 grid gap-2">
        <Row name={creditsLabel}>{count(item.credits)}</Row>
        {item.bonus !== undefined && (
          <>
            <Row name={summary.bonus} strong>
              +{count(item.bonus)}
            </Row>
            <Row name={summary.totalCredits}>{count(totalCredits(item))}</Row>
          </>
        )}
        <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-4">
          <dt className="font-semibold">{summary.total}</dt>
          <dd className="text-xl font-semibold">{dollars(item.price)}</dd>
        </div>
      </dl>
    </Card>
  )
}

function Row({
  name,
  strong = false,
  children,
}: {
  readonly name: string
  readonly strong?: boolean
  readonly children: ReactNode
}) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className={strong ? 'font-medium text-brand' : undefined}>{children}</dd>
    </div>
  )
}
