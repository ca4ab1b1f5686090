import { CHECKOUT_DEFAULT, totalCredits, type CreditPackage } from '@parley/contract'
import { dollars } from '../../../../lib/format/format.ts'
import { platform } from '../../../../lib/platform/index.ts'
import { useSearchParam } from '../../../../lib/search.ts'
import { useWords } from '../../../../words/index.ts'
import { Card, CardTitle, PageHead } from '../../../../ui/Card.tsx'
import { ErrorState } from '../../../../ui/states.tsx'
import { packageNamed } from '../../packages.ts'
import { BackLink } from './BackLink.tsx'
import { LogInPanel } from './LogInPanel.tsx'
import { PurchaseSummary } from './PurchaseSummary.tsx'
import { PackageNotFound } from './PackageNotFound.tsx'
import { PayForm } from '../PayForm.tsx'
import { SaveCard } from '../SaveCard.tsx'
import { intentIdOf, returnPath } from '../purchases.ts'
import { useIntent } from '../useIntent.ts'

/** Takes a card for a package, or saves one for auto top-up. */
export default function CardPaymentScreen() {
  const { credits, titles } = useWords()
  const item = packageNamed(useSearchParam('package'), CHECKOUT_DEFAULT)
  if (useSearchParam('save') === 'card') return <SaveCard />
  return (
    <>
      <BackLink to="/checkout" label={credits.cardPayment.back} />
      <PageHead title={titles['/billing/card-payment']} lead={credits.cardPayment.lead} />
      {item ? <CardPayment item={item} /> : <PackageNotFound />}
    </>
  )
}

function CardPayment({ item }: { readonly item: CreditPackage }) {
  const { card, cardPayment, checkout, newPayment, summary } = useWords().credits
  const { intent, isSignedOut, failure, hasBegun, remember, forget, startOver } = useIntent(item, {
    withProduct: false,
  })
  const pathFor = (id: string) => returnPath('/billing/success', { id, credits: totalCredits(item) })
  if (isSignedOut)
    return <LogInPanel title={checkout.logInTitle} text={checkout.logInText} label={checkout.logIn} href="/login" />
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <PurchaseSummary item={item} title={summary.title} creditsLabel={summary.credits} />
      <Card>
        <CardTitle title={card.title} />
        {failure && !hasBegun ? (
          <ErrorState title={newPayment.failed} retrying={failure.isRetrying} onRetry={failure.retry} />
        ) : (
          <PayForm
            intent={intent}
            failure={failure}
            label={cardPayment.pay}
            amount={dollars(item.price)}
            returnUrl={platform().returnUrl(pathFor(intentIdOf(intent?.clientSecret ?? '')))}
            onStart={remember}
            onRefused={forget}
            onSuccess={(id) => {
              forget()
              // Replaces this page, so that back does not lead to a completed form.
              location.replace(pathFor(id))
            }}
            onOver={startOver}
          />
        )}
      </Card>
    </div>
  )
}
