import { CHECKOUT_DEFAULT, totalCredits } from '@parley/contract'
import { accountsRoutes } from '@parley/contract/page'
import { useState } from 'react'
import { dollars } from '../../../../lib/format/format.ts'
import { apiUrl, platform } from '../../../../lib/platform/index.ts'
import { useWords } from '../../../../words/index.ts'
import { Card, CardTitle, PageHead } from '../../../../ui/Card.tsx'
import { ErrorState } from '../../../../ui/states.tsx'
import { Checkbox } from '../../../../ui/form/Switch.tsx'
import { packageOf } from '../../packages.ts'
import { BackLink } from './BackLink.tsx'
import { LogInPanel } from './LogInPanel.tsx'
import { PackageChoice } from './PackageChoice.tsx'
import { PayForm } from '../PayForm.tsx'
import { intentIdOf, returnPath } from '../purchases.ts'
import { useIntent } from '../useIntent.ts'

export default function PurchaseScreen() {
  const { credits, titles } = useWords()
  return (
    <>
      <BackLink to="/billing" label={credits.purchase.back} />
      <PageHead title={titles['/credits/purchase']} lead={credits.purchase.lead} />
      <Purchase />
    </>
  )
}

/** Packages at the left, the card at the right; paying leads back to Billing. */
function Purchase() {
  const { card, newPayment, packages } = useWords().credits
  const [item, setItem] = useState(() => packageOf(CHECKOUT_DEFAULT))
  const [saveCard, setSaveCard] = useState(false)
  const [isPaying, setIsPaying] = useState(false)
  const { intent, isSignedOut, failure, hasBegun, keeping, remember, forget, startOver } = useIntent(item, { saveCard })
  const pathFor = (id: string) => returnPath('/billing', { id, credits: totalCredits(item) })
  if (isSignedOut)
    return (
      <LogInPanel
        title={newPayment.authTitle}
        text={newPayment.auth}
        label={newPayment.logIn}
        href={apiUrl(accountsRoutes.loginPage.path)}
      />
    )
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <section aria-label={packages.choose}>
        <PackageChoice chosen={item} onChoose={setItem} disabled={isPaying} />
      </section>
      <Card>
        <CardTitle title={card.title} />
        {failure && !hasBegun ? (
          <ErrorState title={newPayment.failed} retrying={failure.isRetrying} onRetry={failure.retry} />
        ) : (
          <PayForm
            intent={intent}
            failure={failure}
            label={newPayment.pay(dollars(item.price))}
            amount={dollars(item.price)}
            returnUrl={platform().returnUrl(pathFor(intentIdOf(intent?.clientSecret ?? '')))}
            onStart={remember}
            onRefused={forget}
            onBusy={setIsPaying}
            onSuccess={(id) => {
              forget()
              location.replace(pathFor(id))
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
        )}
      </Card>
    </div>
  )
}
