import type { CreditPackage } from '@parley/contract'
import { creditsRoutes } from '@parley/contract/page'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { HttpError, request } from '../../../lib/server/http.ts'
import { BEGUN_ONCE, forgetBegun, keyOf } from '../../../lib/server/queries.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { words } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'
import type { PaymentBegun } from './door.ts'
import { createUnanswered, purchaseOf, type Purchase } from './purchases.ts'

interface IntentOptions {
  readonly saveCard?: boolean
  readonly withProduct?: boolean
  /** Appends the reason of a failure to the toast. */
  readonly withReason?: boolean
}

/** A payment intent for a package, created when the screen opens and when another package is chosen. */
export function useIntent(
  item: CreditPackage,
  { saveCard = false, withProduct = true, withReason = false }: IntentOptions = {},
) {
  const { id } = useSignedInUser()
  const [unanswered] = useState(() => createUnanswered(id, sessionStorage))
  const purchase = purchaseOf(item, { withProduct, saveCard })
  const client = useQueryClient()
  const queryKey = keyOf(creditsRoutes.createPaymentIntent, id, purchase)
  const beginning = useQuery({
    queryKey,
    queryFn: async () => {
      const pending = unanswered.find(item.id)
      return pending
        ? { kind: 'payment' as const, ...pending, amountCents: purchase.amount, isResumed: true }
        : begin(purchase)
    },
    ...BEGUN_ONCE,
  })
  const { error } = beginning
  useEffect(() => {
    if (!error) return
    const { common, credits } = words()
    const reason = withReason ? ` ${error.message}` : ''
    toast({ tone: 'error', title: common.error, description: credits.payment.initFailed + reason })
  }, [error, withReason])

  const intent = beginning.data === 'signed-out' ? undefined : beginning.data
  const [hasBegun, setHasBegun] = useState(false)
  if (intent && !hasBegun) setHasBegun(true)
  const failure =
    error && !intent ? { isRetrying: beginning.isFetching, retry: () => void beginning.refetch() } : undefined
  return {
    intent,
    isSignedOut: beginning.data === 'signed-out',
    /** The intent could not be created; a form that is already rendered keeps its typed card. */
    failure,
    hasBegun,
    /** Saving the card cannot be changed once a payment was sent. */
    keeping: intent?.isResumed ? { checked: intent.saveCard, disabled: true } : { checked: saveCard, disabled: false },
    /** Call before confirming: the money may move from here on. */
    remember: () => intent && unanswered.remember(item.id, intent),
    forget: () => unanswered.forget(item.id),
    /** Discards an intent that is over and creates another; paying is disabled until then. */
    startOver: () => {
      unanswered.forget(item.id)
      forgetBegun(client, queryKey)
      void beginning.refetch()
    },
  }
}

/** 'signed-out' is a result, not an error: the screen asks to log in. The server returns an open intent again. */
async function begin(purchase: Purchase): Promise<PaymentBegun | 'signed-out'> {
  try {
    const { clientSecret } = await request(creditsRoutes.createPaymentIntent, { body: purchase })
    return {
      kind: 'payment',
      clientSecret,
      amountCents: purchase.amount,
      saveCard: purchase.saveCard ?? false,
      isResumed: false,
    }
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) return 'signed-out'
    throw readable(error)
  }
}

function readable(error: unknown): Error {
  if (error instanceof HttpError) {
    const text = error.sentence ?? error.message.slice(`${error.status}: `.length)
    return new Error(`HTTP ${error.status}: ${text}`, { cause: error })
  }
  if (error instanceof SyntaxError) return new Error(words().credits.payment.unexpectedReply, { cause: error })
  return error instanceof Error ? error : new Error(String(error))
}
