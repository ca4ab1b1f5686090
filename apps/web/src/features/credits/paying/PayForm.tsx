import { PUBLISHABLE_KEY_PREFIX, type PaymentsConfig } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { LockKeyhole } from 'lucide-react'
import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import { sentenceOf } from '../../../lib/server/http.ts'
import { useWords } from '../../../words/index.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { ErrorState, Skeleton } from '../../../ui/states.tsx'
import { configQuery } from '../api.ts'
import type { CardDoor, Intent, PayState } from './door.ts'
import { usePayment } from './usePayment.ts'

const StripeFields = lazy(() => import('./StripeFields.tsx'))
const SandboxFields = lazy(() => import('./SandboxFields.tsx'))

interface PayFormProps {
  /** undefined while the intent is created or replaced: the typed card stays, and paying is disabled. */
  readonly intent: Intent | undefined
  /** The intent could not be created. */
  readonly failure?: { readonly isRetrying: boolean; readonly retry: () => void } | undefined
  readonly label: string
  /** What the 3-D Secure dialog names. */
  readonly amount?: string
  /** The return URL after a bank redirect. */
  readonly returnUrl: string
  readonly onStart?: () => void
  readonly onRefused?: () => void
  readonly onBusy?: (isBusy: boolean) => void
  readonly onSuccess: (intentId: string) => void
  readonly onOver: () => void
  /** Rendered between the fields and the button. */
  readonly children?: ReactNode
}

/** The card form: Stripe's with a Stripe key, else the sandbox's. Loads nothing of Stripe before it is rendered. */
export function PayForm(props: PayFormProps) {
  const { common, credits } = useWords()
  const { payment } = credits
  const { data: config, error, isFetching, refetch } = useQuery(configQuery)
  if (error && !config)
    return (
      <ErrorState
        hint={sentenceOf(error, common.loadFailedHint)}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  if (config && !config.publishableKey.startsWith(PUBLISHABLE_KEY_PREFIX))
    return (
      <Notice tone="error">
        <p className="font-semibold">{payment.invalidKey}</p>
        <p>{payment.invalidKeyHint}</p>
      </Notice>
    )
  return <ReadyForm {...props} config={config} />
}

function ReadyForm({
  config,
  intent,
  failure,
  label,
  amount,
  returnUrl,
  onStart,
  onRefused,
  onBusy,
  onSuccess,
  onOver,
  children,
}: PayFormProps & { config: PaymentsConfig | undefined }) {
  const { payment, card, newPayment } = useWords().credits
  const [drawn, setDrawn] = useState(intent)
  if (intent && intent !== drawn) setDrawn(intent)
  const isChanging = drawn !== undefined && !intent
  const door = useRef<CardDoor>(null)
  const { state, pay, resume } = usePayment(door, { onStart, onRefused, onBusy, onSuccess, onOver })
  const isWorking = state.phase === 'processing' || state.phase === 'success'
  const Fields = config?.mode === 'sandbox' ? SandboxFields : StripeFields
  return (
    <form
      noValidate
      aria-label={card.title}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isChanging) void pay()
      }}
    >
      {config && drawn ? (
        <Suspense fallback={<LoadingFields />}>
          <Fields
            door={door}
            config={config}
            intent={drawn}
            amount={amount}
            returnUrl={returnUrl}
            disabled={isWorking}
            onOpen={() => {
              if (drawn.isResumed) void resume()
            }}
          />
        </Suspense>
      ) : (
        <LoadingFields />
      )}
      {children}
      <StateNotice state={state} />
      {failure && <ErrorState title={newPayment.failed} retrying={failure.isRetrying} onRetry={failure.retry} />}
      {!failure && (
        <Button type="submit" size="large" pending={isWorking || isChanging} className="w-full">
          {isWorking ? payment.working : label}
        </Button>
      )}
      <p className="flex gap-2 text-sm text-muted">
        <LockKeyhole className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
        {config?.mode === 'sandbox' ? card.sandbox : card.secure}
      </p>
    </form>
  )
}

function StateNotice({ state }: { readonly state: PayState }) {
  const { payment } = useWords().credits
  if (state.phase === 'error')
    return (
      <Notice tone="error">
        <span className="font-semibold">{state.title}:</span> {state.message}
      </Notice>
    )
  if (state.phase === 'processing' && state.isSettled)
    return (
      <Notice tone="info">
        <span className="font-semibold">{payment.processingTitle}:</span> {payment.processing}
      </Notice>
    )
  return null
}

function LoadingFields() {
  const { card } = useWords().credits
  return (
    <div aria-busy="true" className="grid grid-cols-2 gap-x-4 gap-y-5">
      <span className="sr-only">{card.loading}</span>
      <div className="col-span-2 grid gap-1.5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-11" />
      </div>
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-11" />
      </div>
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-11" />
      </div>
    </div>
  )
}
