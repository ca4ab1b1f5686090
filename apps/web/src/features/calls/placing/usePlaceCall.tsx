import { callsRoutes } from '@parley/contract/page'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { count } from '../../../lib/format/format.ts'
import { codeOf, HttpError, request, sentenceOf } from '../../../lib/server/http.ts'
import { offerNotifications } from '../../../lib/live/notifications.ts'
import { useHeldCredits } from '../../../lib/server/running.ts'
import { useSignedInUser } from '../../../lib/server/session.ts'
import { useWords } from '../../../words/index.ts'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { useCallPlaced } from '../api.ts'
import { openCall } from '../live/openCall.ts'
import { createAttempts } from './attempts.ts'
import type { NewCall } from './callForm.ts'

interface Question {
  readonly newCall: NewCall
  readonly sentence: string
}

/** Whether there are credits for a call; shows why not. */
export function useCanCall(): () => boolean {
  const { form } = useWords().calls
  const lack = useLackOfCredits()
  return () => {
    if (lack !== undefined) toast({ tone: 'error', title: form.addCredits, description: lack })
    return lack === undefined
  }
}

/** Why there are no credits: reserved by running calls, or used up. */
function useLackOfCredits(): string | undefined {
  const { form } = useWords().calls
  const held = useHeldCredits()
  if (Number(useSignedInUser().creditBalance) > 0) return undefined
  return held > 0 ? form.reserved(held, count(held)) : form.noCredits
}

/** The only place where the page places calls: from the form, and repeated calls after their countdown. */
export function usePlaceCall(onPlaced?: () => void) {
  const { calls, common } = useWords()
  const user = useSignedInUser()
  const callPlaced = useCallPlaced()
  const [attempts] = useState(() => createAttempts())
  const canCall = useCanCall()
  // Several calls may be placed at once, and each may need a confirmation.
  const [questions, setQuestions] = useState<readonly Question[]>([])
  const [question] = questions
  const drop = ({ callee, purpose }: NewCall) =>
    setQuestions((earlier) => earlier.filter(({ newCall }) => newCall.callee !== callee || newCall.purpose !== purpose))
  const placing = useMutation({
    mutationFn: async (newCall: NewCall) =>
      request(callsRoutes.place, { body: { userId: user.id, ...newCall }, idempotencyKey: attempts.keyFor(newCall) }),
    onSuccess: (call, newCall) => {
      attempts.settle(newCall)
      drop(newCall)
      callPlaced(call)
      onPlaced?.()
      openCall(call.id)
    },
    onError: (error, newCall) => {
      // After a network or server error the call may exist, so a retry sends the same idempotency key.
      if (error instanceof HttpError && error.status < 500) attempts.settle(newCall)
      const needsConfirmation = codeOf(error) === 'outside_calling_hours' && !newCall.confirmOutsideHours
      drop(newCall)
      if (needsConfirmation)
        setQuestions((earlier) => [...earlier, { newCall, sentence: sentenceOf(error, calls.hours.question) }])
      else toast({ tone: 'error', title: common.error, description: sentenceOf(error, calls.form.failed) })
    },
  })

  return {
    /** Why no call can be placed; undefined if one can. */
    lack: useLackOfCredits(),
    /** The call being placed. */
    pending: placing.isPending ? placing.variables : undefined,
    refusal: placing.error,
    place: (newCall: NewCall) => {
      if (!canCall()) return
      placing.mutate(newCall)
      // The first call is when notifications become useful.
      void offerNotifications()
    },
    /** Render this where the hook is used: asks before dialing outside calling hours. */
    confirmation: (
      <ConfirmDialog
        open={question !== undefined}
        onOpenChange={(open) => !open && question && drop(question.newCall)}
        title={calls.hours.title}
        question={question?.sentence}
        confirm={calls.hours.confirm}
        tone="primary"
        pending={placing.isPending}
        onConfirm={() => question && placing.mutate({ ...question.newCall, confirmOutsideHours: true })}
      />
    ),
  }
}
