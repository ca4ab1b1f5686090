import type { LiveMessage } from '@parley/contract'
import type { QueryClient } from '@tanstack/react-query'
import { notify } from '../../../lib/live/notifications.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { words } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { callQuery } from '../api.ts'
import { headlineOf } from '../status.ts'
import { openCall } from './openCall.ts'

type Announced = Extract<LiveMessage, { type: 'call_completed' | 'call_question' }>

/** A batch has its own end notice; only single calls are announced. */
export async function announce(client: QueryClient, { type, callId }: Announced, isHere: boolean): Promise<void> {
  const call = await client.fetchQuery({ ...callQuery(callId), staleTime: 0 })
  if (call.batchId !== null) return
  const { number } = phoneText(call.callee)
  const { ended, asks, asksHint } = words().shell.notifications
  // A lock screen is read by anybody: it does not show the question.
  const [title, description] = type === 'call_question' ? [asks(number), asksHint] : [ended(number), headlineOf(call)]
  if (isHere)
    toast({
      title,
      description,
      action: { label: words().common.show, onAct: () => openCall(callId) },
    })
  else await notify(callId, title, description)
}
