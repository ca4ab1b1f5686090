import { CHECKOUT_DEFAULT } from '@parley/contract'
import { Check, CreditCard } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '../../../../words/index.ts'
import { ButtonLink } from '../../../../ui/Button.tsx'
import { Card, CardTitle, PageHead } from '../../../../ui/Card.tsx'
import { packageOf } from '../../packages.ts'
import { LogInPanel } from './LogInPanel.tsx'
import { PurchaseSummary } from './PurchaseSummary.tsx'
import { PackageChoice } from './PackageChoice.tsx'
import { useIntent } from '../useIntent.ts'

export default function CheckoutScreen() {
  const { checkout } = useWords().credits
  return (
    <>
      <PageHead title={checkout.title} lead={checkout.lead} />
      <Checkout />
    </>
  )
}

function Checkout() {
  const { checkout, summary } = useWords().credits
  const [item, setItem] = useState(() => packageOf(CHECKOUT_DEFAULT))
  // The intent is created here already, so that a failure shows before the card page.
  const { isSignedOut } = useIntent(item)
  if (isSignedOut)
    return <LogInPanel title={checkout.logInTitle} text={checkout.logInText} label={checkout.logIn} href="/login" />
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-8">
        <PackageChoice chosen={item} onChoose={setItem} />
        <Included />
      </div>
      <div className="grid gap-4 lg:sticky lg:top-6">
        <PurchaseSummary item={item} title={summary.title} creditsLabel={summary.credits} />
        <Card>
          <CardTitle title={checkout.method} lead={checkout.methodLead} />
          <ButtonLink size="large" className="w-full">
            {/* A full load: the next page may talk to the card processor, this one may not. */}
            <a href={`/billing/card-payment?package=${item.id}`}>
              <CreditCard className="size-5" aria-hidden="true" />
              {checkout.useCard}
            </a>
          </ButtonLink>
        </Card>
      </div>
    </div>
  )
}

function Included() {
  const { checkout } = useWords().credits
  return (
    <section aria-labelledby="included">
      <h2 id="included" className="mb-3 text-lg font-semibold">
        {checkout.included}
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {checkout.includes.map((each) => (
          <li key={each} className="flex gap-3">
            <Check className="mt-0.5 size-5 shrink-0 text-brand" aria-hidden="true" />
            {each}
          </li>
        ))}
      </ul>
    </section>
  )
}
