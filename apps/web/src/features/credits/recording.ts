import type { Parsed } from '@parley/contract'
import { accountsRoutes, creditsRoutes } from '@parley/contract/page'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { HttpError, request } from '../../lib/server/http.ts'
import { count } from '../../lib/format/format.ts'
import { keyOf } from '../../lib/server/queries.ts'
import { words } from '../../words/index.ts'
import type { ToastContent } from '../../ui/toast/toast.ts'

/** While credits are pending: the webhook or the bank may need a moment. */
const ASK_AGAIN_MS = 3000
const ASKS = 20

type PaymentResult = Parsed<(typeof creditsRoutes.processPaymentSuccess)['reply']>

/** The result of recording a payment. */
export type Recorded = 'added' | 'already' | 'later' | 'unknown'

export function recordedBy(result: PaymentResult | undefined, error: unknown): Recorded | undefined {
  if (result) return result.status === 'already_added' ? 'already' : result.success ? 'added' : 'later'
  // Any HTTP response means that the server continues by itself; without one that is unknown.
  if (error instanceof HttpError) return 'later'
  return error ? 'unknown' : undefined
}

/** The toast of a result, the same on every page. */
export function recordedToast(recorded: Recorded, credits: number): ToastContent {
  const { payment, added } = words().credits
  switch (recorded) {
    case 'added':
      return { tone: 'success', title: payment.successTitle, description: added(credits, count(credits)) }
    case 'already':
      return { tone: 'success', title: payment.confirmedTitle, description: added(credits, count(credits)) }
    case 'later':
      return { title: payment.received }
    case 'unknown':
      return { title: payment.processingTitle, description: `${payment.later} ${payment.support}` }
  }
}

/**
 * Asks the server to credit a payment. Idempotent, therefore a query here; repeated while the payment is processing.
 */
export function recordingQuery(intentId: string, how: 'success' | 'missed', credits?: number) {
  return queryOptions({
    queryKey: keyOf(
      how === 'success' ? creditsRoutes.processPaymentSuccess : creditsRoutes.processMissedPayment,
      intentId,
    ),
    queryFn: async ({ client, signal }) => {
      const body = { paymentIntentId: intentId }
      const result = await (how === 'success'
        ? request(creditsRoutes.processPaymentSuccess, { body: { ...body, ...(credits && { credits }) }, signal })
        : request(creditsRoutes.processMissedPayment, { body, signal }))
      if (result.success) await creditsChanged(client)
      return result
    },
    staleTime: Infinity,
    retry: 1,
    refetchInterval: ({ state }) =>
      state.data?.success === false && state.dataUpdateCount < ASKS ? ASK_AGAIN_MS : false,
  })
}

async function creditsChanged(client: QueryClient): Promise<void> {
  const changed = [accountsRoutes.currentUser, creditsRoutes.payments, creditsRoutes.statement]
  await Promise.all(changed.map((route) => client.invalidateQueries({ queryKey: keyOf(route) })))
}

/** The credits in the address; undefined if not a positive whole number. */
export function creditsIn(text: string | undefined): number | undefined {
  const number = Number(text)
  return text && Number.isSafeInteger(number) && number > 0 ? number : undefined
}
