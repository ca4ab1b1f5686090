import type { AutoTopUpState } from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { request, sentenceOf } from '../../../lib/server/http.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { saidByServer, useWords } from '../../../words/index.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Card, CardTitle } from '../../../ui/Card.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { topUpQuery } from '../api.ts'
import { TopUpForm } from './TopUpForm.tsx'

/** A full load: only the pages that take cards may talk to the card processor. */
const SAVE_CARD = '/billing/card-payment?save=card'

export function TopUp() {
  const { topUp } = useWords().credits
  const { id } = useSignedInUser()
  const { data, isError, isFetching, refetch } = useQuery(topUpQuery(id))
  return (
    <Card aria-labelledby="top-up">
      <CardTitle
        id="top-up"
        title={topUp.title}
        lead={topUp.lead}
        aside={data && <Badge tone={data.settings ? 'good' : 'neutral'}>{data.settings ? topUp.on : topUp.off}</Badge>}
      />
      {isError && !data && (
        <ErrorState title={topUp.failedTitle} retrying={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton className="h-48" />}
      {data && <State state={data} />}
    </Card>
  )
}

function State({ state }: { readonly state: AutoTopUpState }) {
  const { topUp } = useWords().credits
  return (
    <div className="grid gap-5">
      {state.problem && <Notice tone="error">{saidByServer(state.problem, (server) => server.topUpFailed)}</Notice>}
      {state.card ? (
        <SavedCard card={state.card} />
      ) : (
        <div>
          <p className="mb-3">{topUp.noCard}</p>
          <ButtonLink variant="secondary">
            <a href={SAVE_CARD}>{topUp.saveCard}</a>
          </ButtonLink>
        </div>
      )}
      {state.card && <TopUpForm key={JSON.stringify(state.settings)} settings={state.settings} />}
    </div>
  )
}

function SavedCard({ card }: { readonly card: NonNullable<AutoTopUpState['card']> }) {
  const { common, credits } = useWords()
  const { topUp } = credits
  const { id } = useSignedInUser()
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const forgetting = useMutation({
    mutationFn: async () => request(creditsRoutes.forgetCard, { params: { id } }),
    onSuccess: (state) => {
      setIsAsking(false)
      client.setQueryData(topUpQuery(id).queryKey, state)
      toast({ tone: 'success', title: topUp.forgotten })
    },
    onError: (error) => toast({ tone: 'error', title: common.error, description: sentenceOf(error, topUp.failed) }),
  })
  const brand = card.brand.charAt(0).toUpperCase() + card.brand.slice(1)
  return (
    <div className="rounded-base border border-line px-4 py-3">
      <p className="tabular font-medium">{topUp.card(brand, card.last4)}</p>
      <p className="tabular text-sm text-muted">
        {topUp.expires(String(card.expMonth).padStart(2, '0'), String(card.expYear % 100).padStart(2, '0'))}
      </p>
      <div className="mt-2 -ml-3 flex gap-1">
        <ButtonLink variant="quiet" size="small">
          <a href={SAVE_CARD}>{topUp.replace}</a>
        </ButtonLink>
        <Button variant="quiet" size="small" onClick={() => setIsAsking(true)}>
          {topUp.forget}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={topUp.forgetTitle}
        question={topUp.forgetQuestion}
        confirm={topUp.forget}
        pending={forgetting.isPending}
        onConfirm={() => forgetting.mutate()}
      />
    </div>
  )
}
