import type { ReactNode } from 'react'
import { useHead } from '../../../lib/heads.ts'
import { useWords } from '../../../words/index.ts'
import { PageHead } from '../../../ui/Card.tsx'
import { Tabs } from '../../../ui/Tabs.tsx'
import { useMoneyInStep } from '../api.ts'
import { Packages } from './Packages.tsx'
import { Purchases } from './Purchases.tsx'
import { Statement } from './Statement.tsx'
import { TopUp } from './TopUp.tsx'
import { UsageHistory } from './UsageHistory.tsx'
import { usePaymentReturn } from './usePaymentReturn.ts'

/** Packages above, records below; `beneathPackages`: the enterprise offer. */
export default function BillingScreen({ beneathPackages }: { readonly beneathPackages: ReactNode }) {
  const { billing } = useWords().credits
  usePaymentReturn()
  useMoneyInStep()
  return (
    <>
      <PageHead {...useHead('/billing')} />
      <div className="grid grid-cols-1 gap-4">
        <Packages />
        {beneathPackages}
      </div>
      <div className="mt-10 grid grid-cols-1 items-start gap-x-8 gap-y-10 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <section aria-label={billing.records}>
          <Tabs
            label={billing.records}
            tabs={[
              { value: 'usage', label: billing.usage, content: <UsageHistory /> },
              { value: 'statement', label: billing.statement, content: <Statement /> },
              { value: 'purchases', label: billing.purchases, content: <Purchases /> },
            ]}
          />
        </section>
        <TopUp />
      </div>
    </>
  )
}
