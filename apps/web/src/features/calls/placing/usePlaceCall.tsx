import { callsRoutes } from '@parley/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { codeOf, HttpError, request, sentenceOf } from '../../../lib/http.ts'
import { askToNotify } from '../../../lib/notifications.ts'
import { useSignedInUser } from '../../../lib/session.ts'
import { useWords } from '../../../lib/words/index.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { useCallPlaced } from '../api.ts'
import { openCall } from '../live/openCall.ts'
import { createAttempts } from './attempts.ts'
import type { Order } from './order.ts'

interface Question {
  readonly order: Order
  readonly sentence: string
}

/** The one gate through which this page places calls: from the form, from a retry, from 'Call again'. */
export function usePlaceCall(onPlaced?: () => void) {
  const { calls, common } = useWords()
  const user = useSignedInUser()
  const callPlaced = useCallPlaced()
  const [attempts] = useState(() => createAttempts())
  const [question, setQuestion] = useState<Question>()
  const placing = useMutation({
    mutationFn: async (order: Order) =>
      request(callsRoutes.place, { body: { userId: user.id, ...order }, idempotencyKey: attempts.keyFor(order) }),
    onSuccess: (call, order) => {
      attempts.settle(order)
      setQuestion(undefined)
      callPlaced(call)
      onPlaced?.()
      openCall(call.id)
    },
    onError: (error, order) => {
      // Without an answer, or with a server in trouble, the call may stand: the next try asks for the same one.
      if (error instanceof HttpError && error.status < 500) attempts.settle(order)
      const needsConfirmation = codeOf(error) === 'outside_calling_hours' && !order.confirmOutsideHours
      setQuestion(needsConfirmation ? { order, sentence: sentenceOf(error, calls.hours.question) } : undefined)
      if (!needsConfirmation) toast({ tone: 'error', title: common.error, description: sentenceOf(error, calls.form.failed) })
    },
  })

  return {
    hasCredits: Number(user.creditBalance) > 0,
    /** The order under way. */
    pending: placing.isPending ? placing.variables : undefined,
    refusal: placing.error,
    place: (order: Order) => {
      if (Number(user.creditBalance) > 0) {
        placing.mutate(order)
        // The first call is when it becomes clear what there would be to tell.
        void askToNotify()
      } else toast({ tone: 'error', title: calls.form.addCredits, description: calls.form.noCredits })
    },
    /** Stands wherever the hook is used: it asks before dialing early or late. */
    confirmation: (
      <ConfirmDialog
        open={question !== undefined}
        onOpenChange={(open) => !open && setQuestion(undefined)}
        title={calls.hours.title}
        question={question?.sentence}
        confirm={calls.hours.confirm}
        tone="primary"
        pending={placing.isPending}
        onConfirm={() => question && placing.mutate({ ...question.order, confirmOutsideHours: true })}
      />
    ),
  }
}
