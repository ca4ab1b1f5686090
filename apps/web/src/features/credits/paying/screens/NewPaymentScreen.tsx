import { NEW_PAYMENT_DEFAULT, totalCredits, type CreditPackage } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { dollars } from '../../../../lib/format/format.ts'
import { apiUrl, platform } from '../../../../lib/platform/index.ts'
import { useSearchParam } from '../../../../lib/search.ts'
import { useWords } from '../../../../words/index.ts'
import { Button, ButtonLink } from '../../../../ui/Button.tsx'
import { Card, CardTitle, PageHead } from '../../../../ui/Card.tsx'
import { Checkbox } from '../../../../ui/form/Switch.tsx'
import { toast } from '../../../../ui/toast/toast.ts'
import { packageNamed } from '../../packages.ts'
import { BackLink } from './BackLink.tsx'
import { LogInPanel } from './LogInPanel.tsx'
import { PurchaseSummary } from './PurchaseSummary.tsx'
import { PackageNotFound } from './PackageNotFound.tsx'
import { Paid } from './Paid.tsx'
import { PayForm } from '../PayForm.tsx'
import { intentIdOf, returnPath } from '../purchases.ts'
import { useIntent } from '../useIntent.ts'

/** Package and card on one page, which also shows the result. */
export default function NewPaymentScreen() {
  const { common, credits, titles } = useWords()
  const item = packageNamed(useSearchParam('package'), NEW_PAYMENT_DEFAULT)
  const paidId = useSearchParam('paid')
  const isUnknown = item === undefined
  useEffect(() => {
    if (isUnknown) toast({ tone: 'error', title: common.error, description: credits.newPayment.invalidPackage })
  }, [isUnknown, common, credits])
  return (
    <>
      <BackLink to="/billing" label={credits.newPayment.back} />
      <PageHead title={titles['/new-payment']} lead={credits.newPayment.lead} />
      {!item && <PackageNotFound />}
      {item &&
        (paidId === undefined ? <NewPayment key={item.id} item={item} /> : <Paid intentId={paidId} item={item} />)}
    </>
  )
}

function NewPayment({ item }: { readonly item: CreditPackage }) {
  const { card, newPayment, summary } = useWords().credits
  const [saveCard, setSaveCard] = useState(false)
  const [isPaying, setIsPaying] = useState(false)
  const navigate = useNavigate()
  const { intent, isSignedOut, failure, hasBegun, keeping, remember, forget, startOver } = useIntent(item, {
    saveCard,
    withReason: true,
  })
  if (isSignedOut)
    return (
      <LogInPanel
        title={newPayment.authTitle}
        text={newPayment.auth}
        label={newPayment.logIn}
        href={apiUrl(accountsRoutes.loginPage.path)}
      />
    )
  if (failure && !hasBegun && !failure.isRetrying) return <CouldNotBegin onRetry={failure.retry} />
  const id = intentIdOf(intent?.clientSecret ?? '')
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
      <PurchaseSummary item={item} title={summary.packageSummary} creditsLabel={summary.baseCredits} />
      <Card>
        <CardTitle title={card.title} />
        <PayForm
          intent={intent}
          failure={failure}
          label={newPayment.pay(dollars(item.price))}
          amount={dollars(item.price)}
          returnUrl={platform().returnUrl(returnPath('/billing/success', { id, credits: totalCredits(item) }))}
          onStart={remember}
          onRefused={forget}
          onBusy={setIsPaying}
          onSuccess={(intentId) => {
            forget()
            // Kept in the address: a reload or back shows the paid purchase instead of an empty form.
            void navigate({ to: '.', search: { package: item.id, paid: intentId }, replace: true })
          }}
          onOver={startOver}
        >
          <Checkbox
            label={card.keep}
            checked={keeping.checked}
            onCheckedChange={setSaveCard}
            disabled={isPaying || keeping.disabled}
          />
        </PayForm>
      </Card>
    </div>
  )
}

function CouldNotBegin({ onRetry }: { readonly onRetry: () => void }) {
  const { common, credits } = useWords()
  const { newPayment } = credits
  return (
    <div role="alert" className="rounded-base border border-danger/40 bg-danger-soft px-6 py-6">
      <h2 className="text-lg font-semibold">{common.error}</h2>
      <p className="mt-1 max-w-prose text-muted">{newPayment.failed}</p>
      <div className="mt-4 flex flex-wrap gap-3">
        <ButtonLink>
          <Link to="/billing">{newPayment.back}</Link>
        </ButtonLink>
        <Button variant="secondary" onClick={onRetry}>
          {common.tryAgain}
        </Button>
      </div>
    </div>
  )
}
