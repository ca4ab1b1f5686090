import { TEST_PAYMENT } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '../../../../lib/format/format.ts'
import { useSearchParam } from '../../../../lib/search.ts'
import { useWords } from '../../../../words/index.ts'
import { ButtonLink } from '../../../../ui/Button.tsx'
import { Spinner } from '../../../../ui/Spinner.tsx'
import { creditsIn, recordedBy, recordingQuery } from '../../recording.ts'
import { useAnnounced } from '../../useAnnounced.ts'

/** The last page of a card payment. */
export default function SuccessScreen() {
  const { payment, success } = useWords().credits
  const intentId = useSearchParam('payment_intent')
  const isRefused = useSearchParam('redirect_status') === 'failed'
  const credits = creditsIn(useSearchParam('credits'))
  if (!intentId) return <Result title={success.noPayment} text={success.noPaymentHint} />
  // The processor redirected here after the bank refused.
  if (isRefused) return <Result title={payment.failedTitle} text={payment.failed} />
  // A test payment is known by its id: no request, no credits.
  if (intentId.startsWith(TEST_PAYMENT.intentPrefix)) return <TestResult credits={credits ?? TEST_PAYMENT.credits} />
  return <Recording intentId={intentId} credits={credits} />
}

function Recording({ intentId, credits }: { readonly intentId: string; readonly credits: number | undefined }) {
  const { success, payment } = useWords().credits
  const { data, error } = useQuery(recordingQuery(intentId, 'success', credits))
  const recorded = recordedBy(data, error)
  const number = data?.credits || (credits ?? 0)
  useAnnounced(recorded, number)
  switch (recorded) {
    case undefined:
      return (
        <Frame icon={<Spinner className="size-10 text-brand" />}>
          <h1 className="text-xl font-semibold">{success.loading}</h1>
        </Frame>
      )
    case 'added':
    case 'already':
      return <Result done title={success.title(number, count(number))} text={success.lead} />
    case 'later':
      return <Result title={payment.received} text={payment.support} />
    case 'unknown':
      return <Result title={payment.processingTitle} text={`${payment.later} ${payment.support}`} />
  }
}

function TestResult({ credits }: { readonly credits: number }) {
  const { success } = useWords().credits
  return <Result done title={success.title(credits, count(credits))} text={success.test} />
}

function Result({
  title,
  text,
  done = false,
}: {
  readonly title: string
  readonly text: string
  readonly done?: boolean
}) {
  const { success } = useWords().credits
  const Icon = done ? CircleCheck : Clock
  return (
    <Frame icon={<Icon className={done ? 'size-12 text-brand' : 'size-12 text-live'} aria-hidden="true" />}>
      <h1 className="tabular text-2xl font-semibold">{title}</h1>
      <p className="mt-2 max-w-prose text-muted">{text}</p>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink size="large">
          <Link to="/make-call">{success.start}</Link>
        </ButtonLink>
        <ButtonLink size="large" variant="secondary">
          <Link to="/dashboard">{success.dashboard}</Link>
        </ButtonLink>
      </div>
    </Frame>
  )
}

function Frame({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-[50dvh] flex-col items-start justify-center" aria-live="polite">
      <div className="mb-5">{icon}</div>
      {children}
    </div>
  )
}
