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
import { createUnanswered, orderOf, type Order } from './purchases.ts'

interface IntentOptions {
  readonly saveCard?: boolean
  readonly withProduct?: boolean
  /** Some screens say why it failed. */
  readonly withReason?: boolean
}

/** A payment for a package, begun when the screen opens and again whenever another package is chosen. */
export function useIntent(
  item: CreditPackage,
  { saveCard = false, withProduct = true, withReason = false }: IntentOptions = {},
) {
  const { id } = useSignedInUser()
  const [unanswered] = useState(() => createUnanswered(id, sessionStorage))
  const order = orderOf(item, { withProduct, saveCard })
  const client = useQueryClient()
  const queryKey = keyOf(creditsRoutes.createPaymentIntent, id, order)
  const beginning = useQuery({
    queryKey,
    queryFn: async () => {
      const asked = unanswered.find(item.id)
      return asked ? { kind: 'payment' as const, ...asked, amountCents: order.amount, isResumed: true } : begin(order)
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
    /** The payment could not be begun; a form that stands there already stays, with what was typed into it. */
    failure,
    hasBegun,
    /** What is kept is settled once the payment was asked for. */
    keeping: intent?.isResumed ? { checked: intent.saveCard, disabled: true } : { checked: saveCard, disabled: false },
    /** The money may move from here on. */
    remember: () => intent && unanswered.remember(item.id, intent),
    forget: () => unanswered.forget(item.id),
    /** The payment that is over is gone at once: until the next is begun, nothing can be paid. */
    startOver: () => {
      unanswered.forget(item.id)
      forgetBegun(client, queryKey)
      void beginning.refetch()
    },
  }
}

/**
 * 'signed-out' is an answer to show, not a failure: the screen says where to log in. The server hands out an open order
 * again.
 */
async function begin(order: Order): Promise<PaymentBegun | 'signed-out'> {
  try {
    const { clientSecret } = await request(creditsRoutes.createPaymentIntent, { body: order })
    return {
      kind: 'payment',
      clientSecret,
      amountCents: order.amount,
      saveCard: order.saveCard ?? false,
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
