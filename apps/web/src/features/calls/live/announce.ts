import type { QueryClient } from '@tanstack/react-query'
import { notify } from '../../../lib/live/notifications.ts'
import { phoneText } from '../../../lib/format/phone.ts'
import { words } from '../../../words/index.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { callQuery } from '../api.ts'
import { headlineOf } from '../status.ts'
import { openCall } from './openCall.ts'

/** A batch has its own end notice; only single calls are announced. */
export async function announce(client: QueryClient, callId: string, isHere: boolean): Promise<void> {
  const call = await client.fetchQuery({ ...callQuery(callId), staleTime: 0 })
  if (call.batchId !== null) return
  const title = words().shell.notifications.ended(phoneText(call.callee).number)
  if (isHere)
    toast({
      title,
      description: headlineOf(call),
      action: { label: words().common.show, onAct: () => openCall(callId) },
    })
  else await notify(callId, title, headlineOf(call))
}
