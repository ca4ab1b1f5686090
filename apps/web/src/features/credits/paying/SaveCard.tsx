import { creditsRoutes } from '@parley/contract/page'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { platform } from '../../../lib/platform/index.ts'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { BEGUN_ONCE, forgetBegun, keyOf } from '../../../lib/server/queries.ts'
import { useWords } from '../../../words/index.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card, PageHead } from '../../../ui/Card.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import { BackLink } from './screens/BackLink.tsx'
import type { Intent } from './door.ts'
import { PayForm } from './PayForm.tsx'

/** Saves a card for auto top-up, without a payment. */
export function SaveCard() {
  const { cardPayment, purchase } = useWords().credits
  const saving = useMutation({
    mutationFn: async (setupIntentId: string) => request(creditsRoutes.saveCard, { body: { setupIntentId } }),
  })
  const client = useQueryClient()
  const queryKey = keyOf(creditsRoutes.createSetupIntent)
  const beginning = useQuery({
    queryKey,
    queryFn: async (): Promise<Intent> => {
      const { clientSecret } = await request(creditsRoutes.createSetupIntent, {})
      return { kind: 'setup', clientSecret, isResumed: false }
    },
    ...BEGUN_ONCE,
  })
  return (
    <>
      <BackLink to="/billing" label={purchase.back} />
      <PageHead title={cardPayment.saveTitle} lead={cardPayment.saveLead} />
      <Card className="max-w-xl">
        {saving.isSuccess && <Saved />}
        {!saving.isSuccess && beginning.error && !beginning.data && (
          <ErrorState
            hint={sentenceOf(beginning.error, cardPayment.saveFailed)}
            retrying={beginning.isFetching}
            onRetry={() => void beginning.refetch()}
          />
        )}
        {saving.isError && (
          <ErrorState
            hint={sentenceOf(saving.error, cardPayment.saveFailed)}
            onRetry={() => saving.mutate(saving.variables)}
          />
        )}
        {!saving.isSuccess && !saving.isError && !beginning.error && (
          <PayForm
            intent={beginning.data}
            label={cardPayment.save}
            returnUrl={platform().returnUrl(location.pathname + location.search)}
            onSuccess={(setupIntentId) => saving.mutate(setupIntentId)}
            onOver={() => {
              forgetBegun(client, queryKey)
              void beginning.refetch()
            }}
          />
        )}
      </Card>
    </>
  )
}

function Saved() {
  const { cardPayment, purchase } = useWords().credits
  return (
    <>
      <Notice tone="success">
        <p className="font-semibold">{cardPayment.savedTitle}</p>
        <p>{cardPayment.saved}</p>
      </Notice>
      <ButtonLink className="mt-5">
        <Link to="/billing">{purchase.back}</Link>
      </ButtonLink>
    </>
  )
}
